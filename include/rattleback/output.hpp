// Results as CSV and JSON.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <rattleback/run.hpp>

namespace rattleback {

// A result that cannot be stored: what() says where and why.
struct CannotWrite : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::vector<std::string> csv_columns(const Run& run);
void check_columns(const Run& run,
                   const std::vector<std::string>& columns); // throws BadRun for one that does not exist
// Throws BadRun for a column that does not exist, CannotWrite when the file cannot be written.
void write_csv(const Run& run, std::FILE* to, const std::vector<std::string>& columns = {});
void write_csv(const Run& run, const std::string& file, const std::vector<std::string>& columns = {});

std::string summary_json(const Run& run); // one object

// A little JSON: objects in the order they are filled.
class Json {
  public:
    Json& add(const std::string& key, const std::string& text);
    Json& add(const std::string& key, const char* text) { return add(key, std::string(text)); }
    Json& add(const std::string& key, double number);
    Json& add(const std::string& key, long long number);
    Json& add(const std::string& key, int number) { return add(key, static_cast<long long>(number)); }
    Json& add(const std::string& key, const std::vector<double>& numbers);
    Json& add(const std::string& key, const std::vector<std::string>& texts);
    Json& add(const std::string& key, const Json& object) { return raw(key, object.text()); }
    Json& add(const std::string& key, const std::vector<Json>& objects);
    std::string text() const { return "{" + body_ + "}"; }

  private:
    Json& raw(const std::string& key, const std::string& value);
    std::string body_;
};
std::string number_text(double x); // 17 significant digits: reads back as the same double

// A step of a method on a model, and its Jacobian, as C99; all names begin with `name`. Throws Unsuitable.
struct CSource {
    std::string header, source;
};
CSource export_c(const CompiledMethod& method, const std::string& name);

} // namespace rattleback
