// The text files of the papers, read.
#include "evidence/papers.hpp"

#include <cmath>

#include "model/document.hpp"
#include "model/gallery.hpp"

namespace rattleback::papers {
namespace {

using model::Entry;
using model::Value;

class Reader {
  public:
    Reader(const std::string& text, const std::string& file)
        : document_(model::Document::parse(model::Source(file, text))) {}

    Paper read() const {
        const Value& root = document_.root();
        allow(root, {"seed", "paper", "line"});
        Paper paper{text(root, "seed"), text(root, "paper"), {}};
        for (const Value& v : list(root, "line")) paper.lines.push_back(line(v, paper.seed));
        return paper;
    }

  private:
    [[noreturn]] void fail(const Value& at, const std::string& message) const {
        throw model::ModelError(document_.source(), at.range(), message);
    }
    void allow(const Value& table, std::initializer_list<std::string_view> keys) const {
        for (const Entry& e : table.entries())
            if (std::find(keys.begin(), keys.end(), e.key) == keys.end())
                fail(e.value, "unknown key '" + std::string(e.key) + "'");
    }
    std::string text(const Value& table, const char* key, bool needed = true) const {
        const Entry* e = table.find(key);
        if (!e && !needed) return "";
        if (!e || !e->value.is(Value::Kind::String)) fail(table, std::string(key) + " must be a text");
        return std::string(e->value.text());
    }
    const std::vector<Value>& list(const Value& table, const char* key) const {
        static const std::vector<Value> none;
        const Entry* e = table.find(key);
        if (!e) return none;
        if (!e->value.is(Value::Kind::Array)) fail(e->value, std::string(key) + " must be a list");
        return e->value.items();
    }
    double number(const Value& v) const {
        if (v.is_number()) return v.real();
        if (!v.is(Value::Kind::String)) fail(v, "a number is needed here");
        return static_cast<double>(Options({{"number", std::string(v.text())}}).number("number", 0));
    }
    std::optional<double> number(const Value& table, const char* key) const {
        const Entry* e = table.find(key);
        return e ? std::optional(number(e->value)) : std::nullopt;
    }
    LoadOptions::Pairs pairs(const Value& table, const char* key) const {
        LoadOptions::Pairs all;
        const Entry* e = table.find(key);
        if (!e) return all;
        if (!e->value.is(Value::Kind::Table)) fail(e->value, std::string(key) + " must be a table");
        for (const Entry& p : e->value.entries())
            all.emplace_back(std::string(p.key),
                             std::string(p.value.is(Value::Kind::String) ? p.value.text() : p.value.raw()));
        return all;
    }

    Line line(const Value& v, const std::string& seed) const {
        allow(v, {"id", "what", "data", "errata", "not_reproduced", "to_come", "sketch", "check"});
        Line line{seed, seed + "-" + text(v, "id"), text(v, "what"), text(v, "data", false), {}, Line::reproduced, {},
                  {}};
        for (const Value& e : list(v, "errata")) line.errata.emplace_back(e.text());
        for (const auto& [key, kind] : {std::pair("not_reproduced", Line::not_reproduced),
                                        std::pair("to_come", Line::to_come), std::pair("sketch", Line::sketch)})
            if (v.find(key)) line.kind = kind, line.reason = text(v, key);
        for (const Value& c : list(v, "check")) line.checks.push_back(check(c));
        if (line.kind == Line::reproduced && line.checks.empty()) fail(v, "nothing is checked");
        return line;
    }

    Check check(const Value& v) const {
        allow(v, {"model", "model_text", "method", "against", "force",    "step",   "until",
                  "steps", "set",        "q",      "v",       "p",        "lambda", "observe",
                  "take",  "is",         "within", "at_most", "at_least", "between"});
        Check c;
        c.model = text(v, "model", false), c.model_text = text(v, "model_text", false);
        c.method = text(v, "method"), c.against = text(v, "against", false), c.force = text(v, "force", false);
        c.run.step = number(v, "step"), c.run.until = number(v, "until");
        if (const auto steps = number(v, "steps")) c.run.steps = std::llround(*steps);
        c.changes = {pairs(v, "set"), pairs(v, "q"), pairs(v, "v"), pairs(v, "p"), {}, {}};
        if (v.find("observe")) c.changes.observables = {{"observed", text(v, "observe")}};
        for (const Value& l : list(v, "lambda")) c.lambda.push_back(static_cast<quad>(number(l)));
        c.take = text(v, "take");
        band(v, c);
        return c;
    }

    void band(const Value& v, Check& c) const {
        const auto is = number(v, "is"), most = number(v, "at_most"), least = number(v, "at_least");
        const std::vector<Value>& between = list(v, "between");
        if (is) {
            const double width = number(v, "within").value_or(0) * std::abs(*is);
            c.lo = *is - width, c.hi = *is + width;
        } else if (between.size() == 2) {
            c.lo = number(between[0]), c.hi = number(between[1]);
        } else if (most || least) {
            c.lo = least.value_or(-HUGE_VAL), c.hi = most.value_or(HUGE_VAL);
        } else {
            fail(v, "what must come out is missing: is and within, at_most, at_least or between");
        }
    }

    model::Document document_;
};

} // namespace

Paper read_paper(const std::string& text, const std::string& file) {
    try {
        return Reader(text, file).read();
    } catch (const model::ModelError& e) { throw BadModel(e.what()); }
}

std::vector<Paper> all_papers() {
    std::vector<Paper> all;
    for (const GalleryEntry& e : paper_entries())
        all.push_back(read_paper(std::string(e.text), std::string(e.name) + ".toml"));
    return all;
}

} // namespace rattleback::papers
