#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "output/json.hpp"

namespace rattleback {
namespace {

TEST(Json, ReadsWhatItShouldAndNothingElse) {
    const Json v = Json::read(R"({"a": [1, -2.5e3, true, null], "b\n\"\u00e9\ud83d\ude00": {"c": "</script>"}})");
    EXPECT_EQ(v["a"].items()[1].number(), -2500);
    EXPECT_FALSE(v["a"].items()[3].number_if_any());
    EXPECT_EQ(v["b\n\"\xc3\xa9\xf0\x9f\x98\x80"]["c"].string(), "</script>");
    EXPECT_THROW(v["a"].number(), BadJson);
    EXPECT_THROW(v["c"], BadJson);
    for (const char* bad : {"", "{", "[1,]", "{\"a\" 1}", "{\"a\": 1} x", "\"\\x\"", "\"\\u12\"", "[1 2]", "nul", "+1",
                            "1e999", "\"\x01\"", "\"\xff\""})
        EXPECT_THROW(Json::read(bad), BadJson) << bad;
    EXPECT_THROW(Json::read(std::string(65, '[') + std::string(65, ']')), BadJson);
    EXPECT_NO_THROW(Json::read(std::string(64, '[') + std::string(64, ']')));
}

TEST(Json, KeepsOrderAndEveryBit) {
    const double third = 1.0 / 3, least = std::numeric_limits<double>::denorm_min();
    const std::vector<double> numbers{third, least, -0.0, 1e22, 0.1 + 0.2, std::nextafter(1.0, 2.0)};
    const std::string text = Json()
                                 .add("z", numbers)
                                 .add("a", std::vector<std::string>{"x", "y"})
                                 .add("m", Json().add("whole", 3).add("none", NAN))
                                 .text();
    EXPECT_EQ(text.substr(text.find("\"a\"")), R"("a":["x","y"],"m":{"whole":3,"none":null}})");
    const Json back = Json::read(text);
    EXPECT_EQ(back.keys(), (std::vector<std::string>{"z", "a", "m"}));
    const std::vector<double> read = back["z"].numbers();
    ASSERT_EQ(read.size(), numbers.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        EXPECT_EQ(read[i], numbers[i]);
        EXPECT_EQ(std::signbit(read[i]), std::signbit(numbers[i]));
    }
}

TEST(Json, ReplacesWhatIsNotUtf8) { EXPECT_EQ(Json().add("file", "a\xff").text(), "{\"file\":\"a\xef\xbf\xbd\"}"); }

} // namespace
} // namespace rattleback
