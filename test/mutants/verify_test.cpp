// verify must see what is wrong with a method: each mutant turns the claim it breaks into a failure, and only such.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <set>

namespace rattleback {
namespace {

Model from_gallery(const std::string& name) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return read_model(item.text, name + ".toml");
    throw std::runtime_error(name);
}

std::set<std::string> failures(const std::string& model_name, const std::string& text,
                               const std::function<void(Method&)>& change) {
    const Model model = from_gallery(model_name);
    const MethodName name = parse_methods(text)[0];
    Method method = build_method(model, name);
    change(method);
    std::set<std::string> failed;
    for (const MeasuredClaim& c :
         verify(model, method, find_scheme(name.id).claims(name.options), {.step = {}, .steps = 2000}).claims)
        if (c.verdict == MeasuredClaim::fail) failed.insert(c.name);
    return failed;
}

void scale_increment(Method& method, std::size_t component, double by) {
    method.step.increment[component].value = by * method.step.increment[component].value;
}

using Names = std::set<std::string>;

TEST(Verify, PassesWhatWasNotChanged) {
    const auto nothing = [](Method&) {};
    EXPECT_EQ(failures("henon_heiles", "gauss:stages=2", nothing), Names{});
    EXPECT_EQ(failures("rolling_disk", "gni", nothing), Names{});
    EXPECT_EQ(failures("cartesian_pendulum", "rattle", nothing), Names{});
}

TEST(Verify, SeesALeakInASymplecticMethod) {
    const Names failed = failures("henon_heiles", "midpoint", [](Method& m) { scale_increment(m, 2, 1 + 1e-6); });
    EXPECT_TRUE(failed.contains("symplectic"));
    EXPECT_TRUE(failed.contains("symmetric"));
    EXPECT_TRUE(failed.contains("reversible"));
}

TEST(Verify, SeesAnOrderThatIsTooHigh) {
    EXPECT_EQ(failures("henon_heiles", "gauss:stages=2", [](Method& m) { m.order = 5; }), Names{"order"});
    EXPECT_TRUE(failures("pendulum", "rk4", [](Method& m) { scale_increment(m, 0, 1 + 1e-5); }).contains("order"));
}

TEST(Verify, SeesALostConstraint) {
    const Names failed = failures("cartesian_pendulum", "rattle", [](Method& m) { scale_increment(m, 0, 1 + 1e-9); });
    EXPECT_TRUE(failed.contains("holonomic_exact"));
}

} // namespace
} // namespace rattleback
