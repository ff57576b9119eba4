// A model file as a tree: what stands in it, in the order it was written, and where.
//
// The tree is read-only and knows nothing of mechanics. Every value has its bytes in the file, so that the reader of
// the model, and the parser of a formula inside a string, can point at what they complain about.
#pragma once

#include "source.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rattleback::model {

struct Entry;

// NOTE: asking a value for what it is not, such as the items of a string, is a mistake of the program:
// std::logic_error.
class Value {
  public:
    enum class Kind : std::uint8_t { Table, Array, String, Integer, Float, Boolean };

    Value();
    Value(Value&&) noexcept;
    Value& operator=(Value&&) noexcept;
    ~Value();

    Kind kind() const { return kind_; }
    bool is(Kind kind) const { return kind_ == kind; }
    bool is_number() const { return kind_ == Kind::Integer || kind_ == Kind::Float; }
    std::string_view kind_name() const; // "a table", "an array", ... for messages

    // The bytes of the file that wrote it: a string with its quotes, an inline table with its braces. A table with a
    // header: the header. A table that only dotted keys or deeper headers speak of: the first key or header to do so.
    Range range() const { return {begin_, begin_ + raw_.size()}; }
    std::string_view raw() const { return raw_; }

    // Tables: entries in the order of the file; for a table, its first mention counts.
    const std::vector<Entry>& entries() const;
    const Entry* find(std::string_view key) const; // nullptr if absent

    // Arrays, and [[arrays of tables]].
    const std::vector<Value>& items() const;

    // Strings: the decoded text, and the bytes of the file that wrote its bytes [begin, end). An escape is one unit.
    std::string_view text() const;
    Range in_file(std::size_t begin, std::size_t end) const;

    std::int64_t integer() const; // integers
    double real() const;          // integers and floats

    // Numbers as they were written, without underscores: decimal text for readers of higher precision.
    std::string_view literal() const;

  private:
    friend class TomlParser;
    // How a table or an array came about, which decides what may be added to it later on.
    enum class Made : std::uint8_t { as_value, by_dots, by_header, by_deeper_header };
    struct Children;
    void expect(bool right, std::string_view wanted) const;

    Kind kind_ = Kind::Boolean;
    std::size_t begin_ = 0;
    std::string_view raw_;
    std::string_view text_; // decoded, or a number without underscores
    std::int64_t integer_ = 0;
    double real_ = 0;
    std::unique_ptr<Children> children_;
};

struct Entry {
    std::string_view key; // decoded
    Range key_range;      // in the file, with quotes if it has them
    Value value;

    // The bytes of the file that wrote the bytes [begin, end) of the key; all of the key if it has escapes.
    Range in_file(std::size_t begin, std::size_t end) const;
};

struct Value::Children {
    std::vector<Entry> entries;
    std::unordered_map<std::string_view, std::uint32_t> by_name; // where in entries
    std::vector<Value> items;
    Made made = Made::as_value;
    std::size_t statement = 0; // by_dots: below which header
};

class Document {
  public:
    // ModelError if the text is not TOML, or more than a model can sensibly be.
    static Document parse(Source source);

    const Source& source() const { return owned_->source; }
    const Value& root() const { return owned_->root; }

  private:
    // Values view the text and the pool, hence a fixed address.
    struct Owned {
        Source source;
        std::deque<std::string> pool{};
        Value root{};
    };
    explicit Document(Source source) : owned_(new Owned{std::move(source)}) {}

    std::unique_ptr<Owned> owned_;
};

} // namespace rattleback::model
