// Values of TOML that are one word: numbers, true and false.
#include "toml.hpp"

#include <charconv>

namespace rattleback::model {
namespace {

bool is_between_digits(std::string_view word, std::size_t at) {
    const std::string_view digits = word.starts_with("0x") ? "0123456789abcdefABCDEF" : "0123456789";
    return at > 0 && at + 1 < word.size() && is_one_of(word[at - 1], digits) && is_one_of(word[at + 1], digits);
}

bool begins_with_zero(std::string_view digits) { return digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]); }

} // namespace

// A number, true or false. No model has dates: they are refused.
Value TomlParser::word() {
    Value made = begun(Kind::Boolean);
    for (; at_ < text_.size() && !ends_word(text_[at_]); ++at_)
        if (static_cast<unsigned char>(text_[at_]) >= 0x80) refuse_letter();
    if (at_ == made.begin_) refuse("a value");
    check_end_of_word(made.begin_);
    made.raw_ = made.text_ = view({made.begin_, at_});
    if (made.raw_ == "true" || made.raw_ == "false") return made;
    for (std::size_t i = 0; i < made.raw_.size(); ++i)
        if (made.raw_[i] == '_' && !is_between_digits(made.raw_, i)) refuse_value(made.begin_);
    if (made.raw_.find('_') != std::string_view::npos) {
        std::string digits(made.raw_);
        std::erase(digits, '_');
        made.text_ = keep(std::move(digits));
    }
    if (!read_number(made)) refuse_value(made.begin_);
    return made;
}

bool TomlParser::read_number(Value& made) const {
    const std::string_view word = made.text_, digits = word.substr(is_one_of(word[0], "+-") ? 1 : 0);
    const int base = word.starts_with("0x") ? 16 : word.starts_with("0o") ? 8 : word.starts_with("0b") ? 2 : 10;
    const bool spelled_out = digits == "inf" || digits == "nan";
    if (digits.empty() || !(is_digit(digits[0]) || spelled_out) || begins_with_zero(digits)) return false;
    if (base != 10 && word.find('-') != std::string_view::npos) return false;
    if (const std::size_t dot = digits.find('.'); dot != std::string_view::npos)
        if (dot + 1 == digits.size() || !is_digit(digits[dot + 1])) return false;
    const char* const begin = word.data() + (base != 10 ? 2 : word[0] == '+' ? 1 : 0);
    const char* const end = word.data() + word.size();
    const auto integer = std::from_chars(begin, end, made.integer_, base);
    made.kind_ = integer.ptr == end ? Kind::Integer : Kind::Float;
    const auto read = integer.ptr == end ? integer : std::from_chars(begin, end, made.real_);
    if (read.ptr != end || (base != 10 && integer.ptr != end)) return false;
    if (read.ec == std::errc()) return true;
    const std::string message = "cannot read the value " + quoted(made.raw_);
    if (made.is(Kind::Integer))
        fail(made.range(), message + ": it does not fit in 64 bits", "write it with a decimal point");
    fail(made.range(), message + ": it is out of the range of a double");
}

void TomlParser::refuse_value(std::size_t begin) const {
    std::size_t end = begin;
    while (end < text_.size() && !ends_value(text_[end])) ++end;
    while (end > begin + 1 && is_one_of(text_[end - 1], " \t")) --end;
    const std::string_view value = view({begin, end});
    if (const auto sign = value.find('='); sign != std::string_view::npos)
        fail({begin + sign, begin + sign + 1}, "'=' inside a value", in_quotes);
    const std::string message = "cannot read the value " + quoted(value);
    if (value.find_first_not_of("0123456789+-._eE") != std::string_view::npos) fail({begin, end}, message, in_quotes);
    if (begins_with_zero(value.substr(is_one_of(value[0], "+-") ? 1 : 0)))
        fail({begin, end}, message + ": numbers do not begin with 0");
    if (value.find('_') != std::string_view::npos) fail({begin, end}, message + ": '_' stands between digits only");
    fail({begin, end}, message,
         value.find('.') == std::string_view::npos ? in_quotes : "the point stands between digits: 0.5, 1.0");
}

} // namespace rattleback::model
