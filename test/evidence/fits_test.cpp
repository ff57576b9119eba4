// What `check` says fits is what a run takes: every method on every model of the gallery and of the laws.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "evidence/studies.hpp"
#include "laws/models.hpp"
#include <rattleback/rattleback.hpp>

namespace rattleback {
namespace {

// "" if a run begins, or why it is refused. A step that fails is a result of its own: of arenstorf, Newton's method
// does not converge with the step that suits dop853.
std::string refusal(const Model& model, std::string method, double step) {
    static const struct File {
        std::string name =
            (std::filesystem::temp_directory_path() / ("rattleback_fits." + std::to_string(::getpid()))).string();
        File() { std::ofstream(name) << "A = [[\"1/2\"]]\nb = [1]\n"; }
        ~File() { ::unlink(name.c_str()); }
    } tableau;
    if (method == "rk:tableau=FILE") method = "rk:tableau=" + tableau.name;
    try {
        integrate(model, {.method = method, .step = step, .steps = 1});
        return "";
    } catch (const Error& e) { return e.what(); }
}

void expect_the_truth(const std::string& name, const Model& model, double step) {
    for (const auto& [method, why] : inspect(model).methods)
        EXPECT_EQ(refusal(model, method, step).empty(), why.empty())
            << name << ", " << method << "\n  check: " << why << "\n  run: " << refusal(model, method, step);
}

TEST(Fits, WhatARunTakesOfTheGallery) {
    for (const GalleryItem& item : gallery()) {
        LoadOptions options;
        if (item.text.find("[1..n]") != std::string::npos) options.set = {{"n", "6"}};
        const Model model = read_model(item.text, item.name, options);
        expect_the_truth(item.name, model, model.run.step.value_or(0.01));
    }
}

TEST(Fits, WhatARunTakesOfTheModelsOfTheLaws) {
    for (const laws::TestModel& test : laws::models()) expect_the_truth(test.name, test.read(), test.step);
}

std::vector<std::pair<std::string, std::string>> methods_of(const std::string& mechanics) {
    return inspect(read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\n" + mechanics +
                                  "\n[initial]\nq = [1, 0]\np = [0.3, -0.3]\n",
                              "m.toml"))
        .methods;
}

std::string answer(const std::vector<std::pair<std::string, std::string>>& methods, const std::string& id) {
    for (const auto& [name, why] : methods)
        if (name == id) return why.empty() ? "fits" : why;
    return "not listed";
}

const std::string on_circle = "\n[constraints]\nholonomic = [\"x^2 + y^2 - 1\"]";

TEST(Fits, NamesABaseThatAModelTakes) {
    const auto holonomic = methods_of("hamiltonian = \"(p_x - 0.3)^2/2 + p_y^2/2\"" + on_circle);
    EXPECT_EQ(answer(holonomic, "compose:base=del"), "fits");
    EXPECT_EQ(answer(holonomic, "compose"), "not listed");
    EXPECT_EQ(answer(methods_of("hamiltonian = \"(p_x^2 + p_y^2)/2\""), "compose"), "fits");
}

// Methods in (q, v) need the momenta of velocities, which p_x + p_y alone does not determine.
TEST(Fits, SeesAHamiltonianWithoutALagrangian) {
    const auto methods = methods_of("hamiltonian = \"(p_x + p_y)^2/2 + y\"" + on_circle);
    EXPECT_EQ(answer(methods, "rattle"), "fits");
    for (const char* id : {"baumgarte", "projected", "shake"})
        EXPECT_EQ(answer(methods, id), "it needs momenta that velocities determine; H_pp is singular at the start")
            << id;
    const auto rotation = methods_of("hamiltonian = \"x*p_y - y*p_x\"");
    for (const char* id : {"gauss", "midpoint", "rk4", "dop853", "rk:tableau=FILE"})
        EXPECT_EQ(answer(rotation, id), "fits") << id;
}

} // namespace
} // namespace rattleback
