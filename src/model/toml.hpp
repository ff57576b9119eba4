// TOML 1.0 in one pass: the text of a file becomes a tree of values, each with its bytes in the file. Whatever is wrong
// is refused at its place, in words for people who write models. Time is linear in the length of the text.
#pragma once

#include "document.hpp"
#include "toml_cursor.hpp"

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace rattleback::model {

class TomlParser : TomlCursor {
  public:
    // The pool keeps texts that do not stand in the file as they are meant: strings with escapes, numbers with '_'.
    TomlParser(const Source& source, std::deque<std::string>& pool) : TomlCursor(source), pool_(pool) {}

    Value run();

  private:
    using Kind = Value::Kind;
    using Made = Value::Made;
    struct Name { // one part of a dotted key
        std::string_view text;
        Range range;
    };
    using Path = std::vector<Name>;

    // Statements, arrays and inline tables: toml.cpp. A depth counts the brackets and dots around a value.
    void header(Value& root);
    Path key(std::size_t depth);
    Name name();
    void key_value(Value& table, std::size_t depth);
    Value value(std::size_t depth);
    Value array(std::size_t depth);
    Value inline_table(std::size_t depth);
    void open(std::size_t depth);
    void close(Value& made);
    Value begun(Kind kind) const;
    std::string_view meaning_of(std::string_view string);
    std::string_view keep(std::string text) { return pool_.emplace_back(std::move(text)); }
    void check_depth(std::size_t depth, Range range) const;
    void count_value(Range range);

    // Numbers, true and false: toml_number.cpp.
    Value word();
    bool read_number(Value& made) const;
    [[noreturn]] void refuse_value(std::size_t begin) const;

    // Tables and what may be added to them: toml_tables.cpp.
    Value make_table(Range range, Made how) const;
    static Value& add(Value& table, const Name& name, Value value);
    static Value* find(Value& table, const Name& name);
    Value& dotted_table(Value& from, const Path& path);
    Value& open_table(Value& root, const Path& path, Range header, bool array);
    [[noreturn]] void refuse_again(Range written, const Entry& first) const;

    std::deque<std::string>& pool_;
    Value* table_ = nullptr; // of the last header
    std::size_t depth_ = 0;  // of that table
    std::size_t values_ = 0;
};

} // namespace rattleback::model
