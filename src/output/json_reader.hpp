// JSON, read: certificates and what a stored run says of itself.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback {

struct BadJson : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct JsonValue {
    enum Kind { null, boolean, number, text, array, object } kind = null;
    bool truth = false;
    double real = 0;
    std::string string;
    std::vector<JsonValue> items;
    std::vector<std::string> keys; // of an object; its values are in `items`

    const JsonValue* find(std::string_view key) const;
    // Throw BadJson where there is no such member, or it is of another kind.
    const JsonValue& at(std::string_view key, Kind kind) const;
    const std::string& text_at(std::string_view key) const { return at(key, text).string; }
    double number_at(std::string_view key) const { return at(key, number).real; }
};

JsonValue read_json(std::string_view text); // throws BadJson

} // namespace rattleback
