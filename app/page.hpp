// The report page, as the verbs write it.
#pragma once

#include <string>
#include <string_view>

#include "common.hpp"
#include "output/report.hpp"

namespace app {

std::string_view page_script(); // what web/ was bundled to; empty: the program was built without it
std::string_view page_style();

Option report_option(std::string& file);
void check_report(const std::string& file); // before the work is done: throws where pages cannot be made
void write_report(const std::string& file, const rattleback::ReportPage& page);
// With the command that is running.
rattleback::ReportPage page_of(const std::string& kind, const std::string& title);
void remember_command(int argc, char** argv);

} // namespace app
