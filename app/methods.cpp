// Tables made from the program itself: methods, gallery, citations.
#include "common.hpp"

#include <cstdio>
#include <memory>

#include "expr/nearest.hpp"
#include "output/json.hpp"
#include "scheme/build.hpp"
#include "scheme/citations.hpp"

namespace app {
namespace {

using namespace rattleback;

std::string claims_in_short(const Scheme& scheme) {
    std::string s;
    for (const Claim& c : scheme.claims({}))
        if (c.answer == Answer::yes)
            s += (s.empty() ? "" : ", ") + std::string(to_text(c.property)) + (c.conditions.empty() ? "" : "*");
    return s;
}

void describe(const Scheme& s, const Options& options) {
    std::printf("%s: %s\n", s.id.c_str(), s.title.c_str());
    std::printf("  takes   %s\n", s.takes.c_str());
    const int order = s.order(options);
    const bool by_default = !s.options.empty() && options.values().empty();
    if (order > 0) std::printf("  order   %d%s\n", order, by_default ? " (with the default options)" : "");
    for (const OptionInfo& o : s.options)
        print_text("  option  " + o.name + (o.fallback.empty() ? "" : "=") + o.fallback + ": " + o.help, 8);
    for (const Claim& c : s.claims(options))
        print_text("  claim   " + std::string(to_text(c.property)) + ": " + std::string(to_text(c.answer)) +
                       (c.conditions.empty() ? "" : ", if ") + to_text(c.conditions),
                   8);
    std::printf("  cite    %s ('rattleback cite %s')\n", s.cite.c_str(), s.id.c_str());
}

Json as_json(const Scheme& s, const Options& given = {}) {
    Json j;
    j.add("id", s.id).add("title", s.title).add("takes", s.takes).add("order", s.order(given)).add("cite", s.cite);
    std::vector<Json> options, claims;
    for (const OptionInfo& o : s.options)
        options.push_back(Json().add("name", o.name).add("default", o.fallback).add("help", o.help));
    for (const Claim& c : s.claims(given))
        claims.push_back(Json()
                             .add("name", std::string(to_text(c.property)))
                             .add("claimed", std::string(to_text(c.answer)))
                             .add("condition", to_text(c.conditions)));
    return j.add("options", options).add("claims", claims);
}

int methods_verb(const std::string& id, bool json) {
    if (!id.empty()) {
        const MethodName name = parse_methods(id).at(0);
        const Scheme& scheme = find_scheme(name.id);
        if (json)
            std::printf("%s\n", as_json(scheme, name.options).text().c_str());
        else
            describe(scheme, name.options);
        return done;
    }
    if (json) {
        std::vector<Json> all;
        for (const Scheme* s : all_schemes()) all.push_back(as_json(*s));
        std::printf("%s\n", Json().add("methods", all).text().c_str());
        return done;
    }
    std::vector<std::vector<std::string>> rows{{"id", "method", "order", "preserves", "for"}};
    for (const Scheme* s : all_schemes()) {
        const int order = s->order({});
        rows.push_back({s->id, s->title, order ? std::to_string(order) : "-", claims_in_short(*s), s->takes});
    }
    std::fputs(aligned(rows).c_str(), stdout);
    std::puts("* under a condition: 'rattleback methods ID' tells which, and the options");
    std::string others;
    for (const MethodAlias& a : method_aliases())
        others += (others.empty() ? "" : ", ") + std::string(a.name) + " = " + std::string(a.means);
    print_text("also understood: " + others, 2);
    return done;
}

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

constexpr std::size_t widest_gallery = 120; // columns, from which on references stand beside names

// All models, or those whose name, title, reference or text has these words.
int gallery_verb(const std::string& words, bool json) {
    std::vector<std::string> names;
    for (const GalleryItem& item : gallery()) {
        names.push_back(item.name);
        if (item.name == words) {
            std::fputs(item.text.c_str(), stdout);
            return done;
        }
    }
    std::vector<std::vector<std::string>> rows;
    std::vector<Json> all;
    for (const GalleryItem& item : gallery()) {
        if (lower(item.name + "\n" + item.text).find(lower(words)) == std::string::npos) continue;
        const Model m = read_model(item.text, item.name + ".toml");
        rows.push_back({item.name, m.name, m.reference});
        all.push_back(Json()
                          .add("name", item.name)
                          .add("title", m.name)
                          .add("reference", m.reference)
                          .add("method", m.run.method));
    }
    if (rows.empty()) {
        const std::string near = nearest(words, names);
        throw BadCommand("the gallery has no model '" + words + "'; " +
                         (near.empty() ? "'rattleback gallery' lists them" : "did you mean '" + near + "'?"));
    }
    if (json)
        std::printf("%s\n", Json().add("models", all).text().c_str());
    else if (width_of(stdout) >= widest_gallery)
        std::fputs(aligned(rows).c_str(), stdout);
    else { // a model a line
        for (auto& row : rows) row.pop_back();
        std::fputs(aligned(rows).c_str(), stdout);
        print_text("'rattleback gallery NAME' prints a model, with its reference");
    }
    return done;
}

int cite_verb(const std::string& id) {
    if (id.empty()) {
        std::puts("Cite Rattleback itself with its CITATION.cff, and the method you used: rattleback cite METHOD");
        return done;
    }
    const Citation* c = find_citation(id);
    if (!c) c = find_citation(find_scheme(parse_methods(id).at(0).id).cite);
    std::printf("@misc{%s,\n  author = {%s},\n  title  = {%s},\n  note   = {%s},\n  year   = {%d}\n}\n",
                std::string(c->key).c_str(), std::string(c->authors).c_str(), std::string(c->title).c_str(),
                std::string(c->where).c_str(), c->year);
    return done;
}

} // namespace

Verb make_methods() {
    struct Arguments {
        std::string id;
        bool json = false;
    };
    auto a = std::make_shared<Arguments>();
    return {"methods",
            "the methods, or one of them with its options and claims",
            {{"id", &a->id, "a method"}, {"--json", &a->json, "print one JSON object and nothing else"}},
            [a] { return methods_verb(a->id, a->json); }};
}

Verb make_gallery() {
    struct Arguments {
        std::string name;
        bool json = false;
    };
    auto a = std::make_shared<Arguments>();
    return {"gallery",
            "the models that come with the program, those with some words, or the text of one",
            {{"name", &a->name, "a model, or words to look for"},
             {"--json", &a->json, "print one JSON object and nothing else"}},
            [a] { return gallery_verb(a->name, a->json); }};
}

Verb make_cite() {
    auto id = std::make_shared<std::string>();
    return {"cite", "where a method comes from, as BibTeX", {{"id", id.get(), "a method or a citation key"}}, [id] {
                return cite_verb(*id);
            }};
}

} // namespace app
