#include "run/columns.hpp"

#include <algorithm>
#include <array>

namespace rattleback {
namespace {

constexpr std::array<std::string_view, 6> roles = {"time",      "state",    "multiplier",
                                                   "invariant", "residual", "observable"};

} // namespace

std::string_view to_text(ColumnGroup::Role role) { return roles[role]; }

std::optional<ColumnGroup::Role> role_of(std::string_view text) {
    const auto it = std::find(roles.begin(), roles.end(), text);
    if (it == roles.end()) return {};
    return static_cast<ColumnGroup::Role>(it - roles.begin());
}

std::vector<double> Table::column(std::size_t i) const {
    std::vector<double> numbers(rows());
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = (*this)(k, i);
    return numbers;
}

void Layout::add(ColumnGroup group) {
    group.first = width;
    width += group.columns.size();
    groups.push_back(std::move(group));
}

const ColumnGroup* Layout::find(std::string_view name) const {
    const auto it = std::find_if(groups.begin(), groups.end(), [&](const ColumnGroup& g) { return g.name == name; });
    return it == groups.end() ? nullptr : &*it;
}

std::vector<double> Row::operator[](std::string_view name) const {
    const ColumnGroup* group = layout ? layout->find(name) : nullptr;
    if (!group || values.empty()) return {};
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(group->first);
    return {begin, begin + static_cast<std::ptrdiff_t>(group->columns.size())};
}

Record::Record(std::shared_ptr<const Layout> layout) : layout_(std::move(layout)) {
    for (const ColumnGroup& g : layout_->groups) tables_.emplace_back(g.columns.size());
}

const Table& Record::operator[](std::string_view name) const {
    static const Table none;
    const ColumnGroup* group = layout_->find(name);
    return group ? tables_[static_cast<std::size_t>(group - layout_->groups.data())] : none;
}

const std::vector<std::string>& Record::names(std::string_view name) const {
    static const std::vector<std::string> none;
    const ColumnGroup* group = layout_->find(name);
    return group ? group->columns : none;
}

std::vector<Record::Column> Record::columns() const {
    std::vector<Column> all;
    for (std::size_t g = 0; g < tables_.size(); ++g)
        for (const std::string& name : layout_->groups[g].columns)
            all.push_back({name, &tables_[g], static_cast<std::size_t>(&name - layout_->groups[g].columns.data())});
    return all;
}

std::optional<Record::Column> Record::column(std::string_view name) const {
    for (const Column& c : columns())
        if (c.name == name) return c;
    return {};
}

void Record::append(std::span<const double> row) {
    for (std::size_t g = 0; g < tables_.size(); ++g)
        tables_[g].append(row.subspan(layout_->groups[g].first, tables_[g].columns()));
}

void Record::reserve(std::size_t rows) {
    for (Table& table : tables_) table.reserve(rows);
}

Run::Run(const std::shared_ptr<const Layout>& layout)
    : record(layout), t(record["t"]), q(record["q"]), v(record["v"]), p(record["p"]), z(record["z"]),
      lambda(record["lambda"]) {}

const Balance* Summary::balance(std::string_view name) const {
    for (const Balance& b : balances)
        if (b.name == name) return &b;
    return nullptr;
}

} // namespace rattleback
