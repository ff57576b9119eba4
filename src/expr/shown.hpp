// Text that somebody else wrote, made fit for a terminal: names and values of models, file names, results of others.
//
// Whatever reaches a terminal goes through here. Control characters would move the cursor or recolour the screen,
// direction marks would change the order in which a line is read, invisible ones would make two names look alike.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rattleback {

// Neither a control character nor invisible nor a direction mark.
bool is_printable(char32_t c);
bool is_printable(std::string_view text); // valid UTF-8 of such characters alone

// On one line: what is not printable becomes \x1B or \u202E, a line break \n.
std::string shown(std::string_view text);

// At most `most` code points: the middle of a longer text becomes "...".
std::string shortened(std::string_view text, std::size_t most = 80);

// A message of several lines. Line breaks stay, words without end are shortened, and so is the whole.
std::string shown_message(std::string_view text, std::size_t most = 4000);

} // namespace rattleback
