// The text a person wrote, and how to point at a place in it.
//
// Every error about a model file is a ModelError: it names the file, the line and the column, quotes the line with a
// caret under the culprit, and says what to do. Offsets are bytes, from 0, as programs count; a Place is lines and code
// points, from 1, as editors count.
#pragma once

#include "expr/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <rattleback/error.hpp>

namespace rattleback::model {

// The bytes [begin, end) of a file.
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool operator==(const Range&) const = default;
};

// Where a person looks. line == 0: nowhere in particular.
struct Place {
    std::size_t line = 0;
    std::size_t column = 0; // in code points
    std::size_t length = 0; // in code points, at most to the end of the line
    bool operator==(const Place&) const = default;
};

// A file name with its text. Moving it keeps no views alive: Document holds it at a fixed address.
class Source {
  public:
    // A byte-order mark at the beginning is dropped; offsets count from after it.
    Source(std::string name, std::string text);

    // Reads a file. ModelError if that is impossible or if it is larger than max_bytes.
    static Source open(const std::string& path);
    static constexpr std::size_t max_bytes = std::size_t{64} << 20;
    static std::string too_large(std::size_t bytes); // the message

    const std::string& name() const { return name_; }
    std::string_view text() const { return text_; }

    Place place_of(std::size_t offset, std::size_t length = 0) const;
    // A line, from 1, without its line break.
    Range line(std::size_t number) const;

  private:
    std::string name_;
    std::string text_;
    std::vector<std::size_t> line_starts_;
};

class ModelError : public Error {
  public:
    ModelError(const Source& source, Range range, std::string_view message, std::string_view remedy = {});
    ModelError(std::string_view file, std::string_view message, std::string_view remedy = {}); // no place to show

    const std::string& file() const { return file_; }
    const Place& place() const { return place_; }
    const std::string& message() const { return message_; }
    const std::string& remedy() const { return remedy_; }

  private:
    ModelError(const Source* source, Range range, std::string file, std::string message, std::string remedy);

    std::string file_;
    Place place_;
    std::string message_;
    std::string remedy_;
};

} // namespace rattleback::model
