// `schema`: what may stand in a model file, as a JSON schema that editors check and complete with.
#include "common.hpp"

#include <cstdio>

#include "model/keys.hpp"
#include "output/json.hpp"

namespace app {
namespace {

using rattleback::Json;
using rattleback::model::KeyInfo;
using rattleback::model::KeyKind;

Json of_type(const char* type) { return Json().add("type", type); }
Json either(std::vector<Json> kinds) { return Json().add("anyOf", Json(std::move(kinds))); }
Json list_of(Json items) { return of_type("array").add("items", std::move(items)); }

Json formula() { return either({of_type("string"), of_type("number")}); }

Json kind_of(const KeyInfo& key);

Json table_of(const std::string& name) {
    Json properties;
    for (const KeyInfo& k : rattleback::model::all_keys())
        if (k.table == name) properties.add(std::string(k.key), kind_of(k));
    Json all = of_type("object");
    return all.add("properties", properties).add("additionalProperties", Json::read("false"));
}

Json kind_of(const KeyInfo& key) {
    const auto kind = [&]() -> Json {
        switch (key.kind) {
        case KeyKind::text: return of_type("string");
        case KeyKind::formula: return formula();
        case KeyKind::whole: return of_type("integer");
        case KeyKind::names: return list_of(of_type("string"));
        case KeyKind::formulas: return either({of_type("object"), of_type("array")});
        case KeyKind::matrix: return list_of(list_of(formula()));
        case KeyKind::table: return table_of(std::string(key.key));
        case KeyKind::named: return of_type("object");
        case KeyKind::anything: break;
        }
        return {};
    };
    return kind().add("description", std::string(key.help));
}

int schema_verb() {
    Json all;
    all.add("$schema", "https://json-schema.org/draft/2020-12/schema").add("title", "Rattleback model");
    const Json top = table_of("");
    for (const std::string& key : top.keys()) all.add(key, top[key]);
    std::printf("%s\n", all.text().c_str());
    return done;
}

} // namespace

Verb make_schema() {
    return {"schema", "a JSON schema of model files, for editors", {}, [] { return schema_verb(); }};
}

} // namespace app
