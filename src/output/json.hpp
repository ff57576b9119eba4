// JSON, written and read. Objects keep the order in which they are filled; numbers read back as the same doubles. The
// library that does the work (nlohmann-json) is seen by json.cpp alone: every source that includes it pays seconds.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rattleback/error.hpp>

namespace rattleback {

struct BadJson : Error {
    using Error::Error;
};

class Json {
  public:
    Json();              // an empty object
    Json(double number); // infinities and NaN become null
    Json(long long number);
    Json(int number) : Json(static_cast<long long>(number)) {}
    Json(const std::string& text);
    Json(const char* text) : Json(std::string(text)) {}
    Json(const std::vector<double>& numbers);
    Json(const std::vector<std::string>& texts);
    Json(std::vector<Json> values);
    Json(const Json& other);
    Json(Json&& other) noexcept;
    Json& operator=(Json other) noexcept;
    ~Json();

    Json& add(const std::string& key, Json value);
    std::string text() const; // on one line

    static Json read(std::string_view text); // throws BadJson, also for what is nested more than 64 deep
    std::vector<std::string> keys() const;   // of an object
    // Throw BadJson where a member is missing or a value is of another kind.
    Json operator[](std::string_view key) const;
    std::vector<Json> items() const;
    std::vector<double> numbers() const;
    std::string string() const;
    double number() const;
    std::optional<double> number_if_any() const; // none: it is something else, as null
    bool has(std::string_view key) const;

  private:
    struct Value;
    explicit Json(Value value);
    std::unique_ptr<Value> value_;
};

} // namespace rattleback
