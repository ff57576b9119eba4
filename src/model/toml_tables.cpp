// Tables of TOML while they grow: who may add to a table depends on how it came about (Value::Made).
#include "toml.hpp"

namespace rattleback::model {

Value TomlParser::make_table(Range range, Made how) const {
    Value made;
    made.kind_ = Kind::Table, made.begin_ = range.begin, made.raw_ = view(range);
    made.children_ = std::make_unique<Value::Children>();
    made.children_->made = how, made.children_->statement = header_;
    return made;
}

Value& TomlParser::add(Value& table, const Name& name, Value value) {
    std::vector<Entry>& entries = table.children_->entries;
    table.children_->by_name.emplace(name.text, static_cast<std::uint32_t>(entries.size()));
    entries.push_back({name.text, name.range, std::move(value)});
    return entries.back().value;
}

Value* TomlParser::find(Value& table, const Name& name) {
    const auto it = table.children_->by_name.find(name.text);
    return it == table.children_->by_name.end() ? nullptr : &table.children_->entries[it->second].value;
}

// The table of a dotted key. Its dots may extend tables that dots below the same header have made.
Value& TomlParser::dotted_table(Value& from, const Path& path) {
    Value* table = &from;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        Value* next = find(*table, path[i]);
        if (!next) next = &add(*table, path[i], make_table(path[i].range, Made::by_dots));
        const bool open = next->is(Kind::Table) &&
                          (next->children_->made == Made::by_deeper_header ||
                           (next->children_->made == Made::by_dots && next->children_->statement == header_));
        if (!open)
            fail(path[i].range, "this name is taken: it cannot be a table with dotted names",
                 "give the table in one place");
        table = next;
    }
    return *table;
}

// The table of [a.b.c] or [[a.b.c]]. Of an array of tables on the way, its last one.
Value& TomlParser::open_table(Value& root, const Path& path, Range header, bool array) {
    Value* table = &root;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const bool last = i + 1 == path.size();
        Value* next = find(*table, path[i]);
        const Made made = next && next->children_ ? next->children_->made : Made::as_value;
        if (!next && last && array) {
            next = &add(*table, path[i], make_table(header, Made::by_header));
            next->kind_ = Kind::Array;
        } else if (!next) {
            next = &add(*table, path[i], make_table(header, last ? Made::by_header : Made::by_deeper_header));
        } else if (last && !array && made == Made::by_deeper_header) {
            next->begin_ = header.begin, next->raw_ = view(header), next->children_->made = Made::by_header;
        } else if (made == Made::as_value || (last && !(array && next->is(Kind::Array)))) {
            refuse_again(header, *table->find(path[i].text));
        }
        if (last && array) next->children_->items.push_back(make_table(header, Made::by_header));
        table = next->is(Kind::Array) ? &next->children_->items.back() : next;
    }
    return *table;
}

void TomlParser::refuse_again(Range written, const Entry& first) const {
    const std::string name = quoted(view(written));
    if (!open_.empty()) fail(written, name + " is given twice", "give each name once");
    const bool header = text_[written.begin] == '[';
    const bool same_kind = header == (first.value.children_ && first.value.children_->made == Made::by_header);
    if (!same_kind)
        fail(written, name + " contradicts what was given before",
             "a name is a value or a table, and an inline table is complete as it stands");
    const std::size_t place = header ? first.value.range().begin : first.key_range.begin;
    fail(written, name + " is given twice", "the first is on line " + std::to_string(source_.place_of(place).line));
}

} // namespace rattleback::model
