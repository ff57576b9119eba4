#include "output/json.hpp"

#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "expr/shown.hpp"
#include "expr/utf8.hpp"

namespace rattleback {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr int deepest = 64;
constexpr std::size_t longest_complaint = 200; // it may quote the text

[[noreturn]] void other_kind(const char* wanted, const Ordered& found) {
    throw BadJson(std::string("a ") + wanted + " is expected, not " + found.type_name());
}

// JSON leaves DEL, the controls of Latin-1 and direction marks as they are; a terminal would obey them.
std::string with_escapes(std::string text) {
    const auto plain = [](char c) { return c >= 0x20 && c < 0x7F; };
    if (std::all_of(text.begin(), text.end(), plain)) return text;
    std::string out;
    out.reserve(text.size());
    const auto unit = [&](unsigned value) {
        char digits[8];
        std::snprintf(digits, sizeof digits, "\\u%04x", value & 0xFFFFu);
        out += digits;
    };
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint c = code_point_at(text, i);
        if (is_printable(c.value)) {
            out.append(text, i, c.bytes);
        } else if (c.value < 0x10000) {
            unit(c.value);
        } else { // as a pair of surrogates
            unit(0xD7C0u + (c.value >> 10)), unit(0xDC00u + (c.value & 0x3FFu));
        }
        i += c.bytes;
    }
    return out;
}

} // namespace

struct Json::Value {
    Ordered json;
};

Json::Json() : Json(Value{Ordered(Ordered::object())}) {}
Json::Json(Value value) : value_(std::make_unique<Value>(std::move(value))) {}
Json::Json(double number) : Json(Value{Ordered(number)}) {}
Json::Json(long long number) : Json(Value{Ordered(number)}) {}
Json::Json(const std::string& text) : Json(Value{Ordered(text)}) {}
Json::Json(const std::vector<double>& numbers) : Json(Value{Ordered(numbers)}) {}
Json::Json(const std::vector<std::string>& texts) : Json(Value{Ordered(texts)}) {}
Json::Json(std::vector<Json> values) : Json(Value{Ordered(Ordered::array())}) {
    for (Json& v : values) value_->json.push_back(std::move(v.value_->json));
}
Json::Json(const Json& other) : Json(Value{Ordered(other.value_->json)}) {}
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json other) noexcept {
    value_.swap(other.value_);
    return *this;
}
Json::~Json() = default;

Json& Json::add(const std::string& key, Json value) {
    value_->json[key] = std::move(value.value_->json);
    return *this;
}

std::string Json::text() const { // names of files need not be UTF-8
    return with_escapes(value_->json.dump(-1, ' ', false, Ordered::error_handler_t::replace));
}

Json Json::read(std::string_view text) {
    const auto shallow = [](int depth, Ordered::parse_event_t, const Ordered&) {
        if (depth >= deepest) throw BadJson("it is JSON nested more than 64 deep");
        return true;
    };
    try {
        return Json(Value{Ordered::parse(text, shallow)});
    } catch (const Ordered::exception& e) {
        const std::string what = e.what(), head = " at ";
        const std::size_t from = what.find(head);
        throw BadJson("it is no JSON: " +
                      what.substr(from == std::string::npos ? 0 : from + head.size(), longest_complaint));
    }
}

std::vector<std::string> Json::keys() const {
    std::vector<std::string> all;
    for (const auto& [key, value] : value_->json.items()) all.push_back(key);
    return all;
}

bool Json::has(std::string_view key) const { return value_->json.is_object() && value_->json.contains(key); }

Json Json::operator[](std::string_view key) const {
    if (!has(key)) throw BadJson("'" + std::string(key) + "' is missing");
    return Json(Value{value_->json.at(std::string(key))});
}

std::vector<Json> Json::items() const {
    if (!value_->json.is_array()) other_kind("list", value_->json);
    std::vector<Json> all;
    for (const Ordered& v : value_->json) all.push_back(Json(Value{v}));
    return all;
}

std::vector<double> Json::numbers() const {
    std::vector<double> all;
    for (const Json& j : items()) all.push_back(j.number());
    return all;
}

std::string Json::string() const {
    if (!value_->json.is_string()) other_kind("text", value_->json);
    return value_->json.get<std::string>();
}

double Json::number() const {
    if (!value_->json.is_number()) other_kind("number", value_->json);
    return value_->json.get<double>();
}

std::optional<double> Json::number_if_any() const {
    return value_->json.is_number() ? std::optional(number()) : std::nullopt;
}

} // namespace rattleback
