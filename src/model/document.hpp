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
#include <vector>

namespace rattleback::model {

struct Entry;
struct Piece;

// NOTE: asking a value for what it is not, such as the items of a string, is a mistake of the program:
// std::logic_error.
class Value {
  public:
    enum class Kind : std::uint8_t { Table, Array, String, Integer, Float, Boolean, DateTime };

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
    const Entry* find(std::string_view key) const; // nullptr if absent; O(log entries)

    // Arrays, and [[arrays of tables]].
    const std::vector<Value>& items() const;

    // Strings: the decoded text, and the bytes of the file that wrote its bytes [begin, end). An escape is one unit.
    // NOTE: the first call on a string with escapes builds its map; two threads may not do that at once.
    std::string_view text() const;
    Range in_file(std::size_t begin, std::size_t end) const;

    std::int64_t integer() const; // integers
    double real() const;          // integers and floats
    bool boolean() const;

    // Numbers as they were written, without underscores: decimal text for readers of higher precision.
    std::string_view literal() const;

  private:
    friend class TreeBuilder;
    struct Children;
    void expect(bool right, std::string_view wanted) const;

    Kind kind_ = Kind::Boolean;
    bool boolean_ = false;
    std::size_t begin_ = 0;
    std::string_view raw_;
    std::string_view text_; // decoded, or a number without underscores
    std::int64_t integer_ = 0;
    double real_ = 0;
    std::unique_ptr<Children> children_;
    mutable std::unique_ptr<std::vector<Piece>> pieces_; // of strings that are not written verbatim
};

struct Entry {
    std::string_view key; // decoded
    Range key_range;      // in the file, with quotes if it has them
    Value value;

    // The bytes of the file that wrote the bytes [begin, end) of the key; all of the key if it has escapes.
    Range in_file(std::size_t begin, std::size_t end) const;
};

class Document {
  public:
    // ModelError if the text is not TOML, or more than a model can sensibly be (gate.hpp).
    static Document parse(Source source);

    const Source& source() const { return owned_->source; }
    const Value& root() const { return owned_->root; }

  private:
    friend class TreeBuilder;
    // Values view the text and the pool, hence a fixed address.
    struct Owned {
        Source source;
        std::deque<std::string> pool{};
        Value root{};
    };
    explicit Document(Source source);

    std::unique_ptr<Owned> owned_;
};

} // namespace rattleback::model
