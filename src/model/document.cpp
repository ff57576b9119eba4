#include "document.hpp"

#include "toml_string.hpp"

#include <algorithm>
#include <stdexcept>

namespace rattleback::model {

Value::Value() = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

std::string_view Value::kind_name() const {
    switch (kind_) {
    case Kind::Table: return "a table";
    case Kind::Array: return "an array";
    case Kind::String: return "a string";
    case Kind::Integer: return "an integer";
    case Kind::Float: return "a number";
    case Kind::Boolean: return "true or false";
    }
    return {};
}

void Value::expect(bool right, std::string_view wanted) const {
    if (!right)
        throw std::logic_error("model::Value: wanted " + std::string(wanted) + ", it is " + std::string(kind_name()));
}

const std::vector<Entry>& Value::entries() const {
    expect(kind_ == Kind::Table, "a table");
    return children_->entries;
}

const Entry* Value::find(std::string_view key) const {
    const std::vector<Entry>& all = entries();
    const auto it = children_->by_name.find(key);
    return it == children_->by_name.end() ? nullptr : &all[it->second];
}

const std::vector<Value>& Value::items() const {
    expect(kind_ == Kind::Array, "an array");
    return children_->items;
}

std::string_view Value::text() const {
    expect(kind_ == Kind::String, "a string");
    return text_;
}

Range Value::in_file(std::size_t begin, std::size_t end) const {
    expect(kind_ == Kind::String, "a string");
    begin = std::min(begin, text_.size());
    end = std::clamp(end, begin, text_.size());
    const Range range = raw_range(raw_, begin, end);
    return {begin_ + range.begin, begin_ + range.end};
}

std::int64_t Value::integer() const {
    expect(kind_ == Kind::Integer, "an integer");
    return integer_;
}

double Value::real() const {
    expect(is_number(), "a number");
    return kind_ == Kind::Integer ? static_cast<double>(integer_) : real_;
}

std::string_view Value::literal() const {
    expect(is_number(), "a number");
    return text_;
}

Range Entry::in_file(std::size_t begin, std::size_t end) const {
    const std::size_t extra = key_range.end - key_range.begin - key.size(); // quotes; more if there are escapes
    if (extra != 0 && extra != 2) return key_range;
    begin = std::min(begin, key.size());
    end = std::clamp(end, begin, key.size());
    const std::size_t shift = key_range.begin + extra / 2;
    return {shift + begin, shift + end};
}

} // namespace rattleback::model
