// Models with one thing wrong, and what a person is told about it, word for word.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include <rattleback/model.hpp>

namespace rattleback {

inline constexpr std::string_view spring = R"-(coordinates = ["x", "y"]

[parameters]
m = 2
k = "3*m"

[mechanics]
lagrangian = "m/2*(x'^2 + y'^2) - k/2*(x^2 + y^2)"

[initial]
q = { x = 1, y = 0 }
v = { x = 0, y = 1 }
)-";

inline constexpr std::string_view the_lagrangian = R"-(lagrangian = "m/2*(x'^2 + y'^2) - k/2*(x^2 + y^2)")-";

inline constexpr std::string_view nothing = "";

inline constexpr std::string_view chain = R"-(coordinates = ["x[1..n]"]

[parameters]
n = 3

[definitions]
"x[0]" = 0
"x[n+1]" = "sin(t)"

[mechanics]
lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - x[i-1])^2/2)"

[initial]
q = { "x[i]" = "i" }
v = { "x[i]" = 0 }
)-";

inline constexpr std::string_view field = R"-(variables = ["x", "y"]

[hamiltonian]
formula = "(x^2 + y^2)/2"
structure = [[0, -1], [1, 0]]

[initial]
z = [1, 0]
)-";

struct Complaint {
    std::string_view model;
    std::string_view right,
        wrong; // the first is replaced by the second; if it is empty, the second is added at the end
    std::string_view says;
    LoadOptions options = {};
};

inline std::string changed(std::string_view model, std::string_view right, std::string_view wrong) {
    std::string text(model);
    const std::size_t at = right.empty() ? text.size() : text.find(right);
    if (at == std::string::npos) return "the model does not contain " + std::string(right);
    return text.replace(at, right.size(), wrong);
}

inline std::string told(const std::string& text, const LoadOptions& options = {}) {
    try {
        read_model(text, "bad.toml", options);
    } catch (const BadModel& e) { return e.what(); }
    return "nothing";
}

inline void expect_word_for_word(const std::vector<Complaint>& complaints) {
    for (const Complaint& c : complaints) {
        const std::string text = changed(c.model, c.right, c.wrong);
        EXPECT_EQ(told(text, c.options), c.says) << "the model:\n" << text;
    }
}

} // namespace rattleback
