// A text with something wrong in it: a few changes such as people and accidents make, and worse ones.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace attack {

class Mutation {
  public:
    explicit Mutation(long seed) : random_(0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(seed)) {}

    std::size_t below(std::size_t n) { return random_() % n; }

    // `other`: a text to take pieces from.
    std::string of(std::string text, const std::string& other) {
        for (std::size_t changes = 1 + below(2); changes > 0; --changes) text = changed(std::move(text), other);
        return text;
    }

  private:
    struct Range {
        std::size_t begin = 0, size = 0;
    };
    // Most changes replace a number by a number or an operator by an operator, so that the text may stay a model.
    std::string changed(std::string text, const std::string& other) {
        if (text.empty()) return other;
        const Range word = any_word(text), line = any_line(text);
        switch (below(20)) {
        case 0: text[below(text.size())] ^= static_cast<char>(1u << below(8)); return text;
        case 1: return text.erase(below(text.size()), 1 + below(below(4) ? 4 : text.size()));
        case 2: return text.insert(below(text.size()), 1 + below(3), static_cast<char>(below(256)));
        case 3: return text.erase(line.begin, line.size);
        case 4: return text.insert(any_line(text).begin, text.substr(line.begin, line.size));
        case 5: {
            const Range theirs = any_line(other);
            return text.insert(line.begin, other.substr(theirs.begin, theirs.size));
        }
        case 6: return text.substr(0, below(text.size())) + other.substr(below(other.size()));
        case 7: return text.replace(word.begin, word.size, any_of(numbers));
        case 8: return text.insert(word.begin, any_of(wrappers));
        case 9: return replaced(std::move(text), "+-*/^(),'[]{}=<>", operators);
        case 10: return replaced_word(std::move(text), '(', any_of(functions));
        case 11:
        case 12: {
            const Range from = any_word(text);
            return text.replace(word.begin, word.size, text.substr(from.begin, from.size));
        }
        case 13:
        case 14:
        case 15: return replaced(std::move(text), "+-*/^", arithmetic);
        case 16: return replaced_word(std::move(text), '*', any_of(factors));
        default: return replaced_number(std::move(text));
        }
    }
    static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }
    Range any_word(std::string_view text) {
        std::size_t begin = below(text.size());
        while (begin < text.size() && !is_word(text[begin])) ++begin;
        while (begin > 0 && begin < text.size() && is_word(text[begin - 1])) --begin;
        std::size_t end = begin;
        while (end < text.size() && is_word(text[end])) ++end;
        return {begin, end - begin};
    }
    Range any_line(std::string_view text) {
        if (text.empty()) return {};
        const std::size_t at = below(text.size()), before = text.rfind('\n', at), after = text.find('\n', at + 1);
        const std::size_t begin = before == text.npos ? 0 : before + 1;
        return {begin, (after == text.npos ? text.size() : after + 1) - begin};
    }
    std::string replaced(std::string text, const char* which, const std::vector<const char*>& by) {
        const std::size_t at = text.find_first_of(which, below(text.size()));
        return at == text.npos ? text : text.replace(at, 1, any_of(by));
    }
    std::string replaced_word(std::string text, char before, const std::string& by) {
        const std::size_t end = text.find(before, below(text.size()));
        if (end == text.npos) return text;
        std::size_t begin = end;
        while (begin > 0 && is_word(text[begin - 1])) --begin;
        return text.replace(begin, end - begin, by);
    }
    std::string replaced_number(std::string text) {
        for (int tries = 0; tries < 20; ++tries) {
            const Range word = any_word(text);
            if (word.size > 0 && text[word.begin] <= '9') return text.replace(word.begin, word.size, any_of(numbers));
        }
        return text;
    }
    std::string any_of(const std::vector<const char*>& words) { return words[below(words.size())]; }

    static inline const std::vector<const char*> numbers{"0",     "-1",    "1e308", "1e-308", "1e999", "nan",   "inf",
                                                         "-0.0",  "1/0",   "1e17",  "0.5",    "7",     "2^63",  "1e-17",
                                                         "10^10", "1e160", "-2",    "1/3",    "100",   "1e-160"};
    static inline const std::vector<const char*> functions{
        "sin",   "cos", "tan", "sqrt", "log", "exp",  "abs",   "sign", "min",     "max", "atan2", "asin",
        "hypot", "erf", "if",  "sum",  "dot", "norm", "cross", "sinc", "stumpff", "t",   "pi",    "x"};
    static inline const std::vector<const char*> operators{"+", "-", "*", "/", "^", "(", ")",  ",",  "'",  "''",
                                                           "[", "]", "{", "}", "=", "<", ">=", "\"", "==", "^-1/"};
    static inline const std::vector<const char*> arithmetic{"+",   "-",   "*",    "/",     "^",
                                                            "*0*", "/0/", "^-1*", "^0.5*", "-1e300*"};
    static inline const std::vector<const char*> factors{"0",      "t",      "-1",    "2^0.5",  "(1/3)",
                                                         "sin(t)", "1e-200", "(1-1)", "exp(40)"};
    static inline const std::vector<const char*> wrappers{
        "1/",   "sqrt(",           "-",  "log(", "0*",      "(",      "2^",      "1e9^", "if(",
        "abs(", "sum(i in 1..3: ", "\"", "[",    "\x1b[2J", "\u202e", "1e-300*", "0/0*", "max(0, "};

    std::mt19937_64 random_;
};

} // namespace attack
