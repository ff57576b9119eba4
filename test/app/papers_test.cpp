// papers: lines, figures, exit codes.
#include "app/program.hpp"
#include "output/json.hpp"

namespace app_test {
namespace {

using ::rattleback::Json;

TEST(Papers, OfOneSeedAndOfOneFigure) {
    const Outcome all = rattleback({"papers", "003", "--json"});
    EXPECT_EQ(all.code, 0) << all.err;
    const Json json = Json::read(all.out);
    EXPECT_GE(json["lines"].items().size(), 12u);
    EXPECT_EQ(json["unexpected"].number(), 0);
    const Outcome one = rattleback({"papers", "003-fig-3"});
    EXPECT_EQ(one.code, 0);
    EXPECT_NE(one.out.find("reproduced with a correction (3.5, 3.6, 3.9)"), std::string::npos) << one.out;
    EXPECT_NE(one.out.find("1 line, 0 not as expected"), std::string::npos) << one.out;
}

TEST(Papers, AreTheSameOnAnyNumberOfThreads) {
    const auto without_time = [](const Outcome& o) {
        EXPECT_EQ(o.code, 0) << o.err;
        return o.out.substr(0, o.out.find("\"seconds\""));
    };
    const std::string one = without_time(rattleback({"papers", "002", "--json", "--threads", "1"}));
    EXPECT_EQ(one, without_time(rattleback({"papers", "002", "--json", "--threads", "5"})));
    EXPECT_EQ(one, without_time(rattleback({"papers", "002", "--json"}))) << "as many as there are cores";
    const Outcome none = rattleback({"papers", "002", "--threads", "0"});
    EXPECT_EQ(none.code, 2);
    EXPECT_EQ(none.err, "rattleback: --threads 0: a whole number from 1 on is needed\n");
}

TEST(Papers, RefuseAFigureThatIsNone) {
    const Outcome near = rattleback({"papers", "003-fig-33"});
    EXPECT_EQ(near.code, 2);
    EXPECT_EQ(near.err, "rattleback: no paper and no figure '003-fig-33'; did you mean '003-fig-3'?\n");
    const Outcome far = rattleback({"papers", "nothing-like-it-at-all"});
    EXPECT_EQ(far.code, 2);
    EXPECT_EQ(far.err, "rattleback: no paper and no figure 'nothing-like-it-at-all'; 'rattleback papers --list' lists "
                       "them\n");
}

} // namespace
} // namespace app_test
