#include "expr/graph.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

namespace rattleback {
namespace {

std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15ULL;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ULL;
    return x ^ (x >> 32);
}

std::uint64_t hash_node(Op op, NodeId a, NodeId b, NodeId c, NodeId d) {
    const std::uint64_t low = mix((std::uint64_t(a) << 32 | b) + static_cast<std::uint64_t>(op) * 0x51ed270b9ULL);
    return mix(low ^ (std::uint64_t(c) << 32 | d));
}

constexpr std::size_t bucket = 8; // cells of the hash table: half a cache line

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 60) << 28; }

std::string member_name(const std::string& family, int k) { // with one allocation: chains have many members
    char digits[16];
    char* const end = std::to_chars(digits, digits + sizeof digits, k).ptr;
    std::string name;
    name.reserve(family.size() + sizeof digits);
    if (const std::size_t star = family.find('*');
        star != std::string::npos) // a row u[3,*] of a family with two indices
        return name.append(family, 0, star)
            .append(digits, static_cast<std::size_t>(end - digits))
            .append(family, star + 1);
    name.append(family).append(1, '[').append(digits, static_cast<std::size_t>(end - digits)).append(1, ']');
    return name;
}

std::string key_of(const Family& f) {
    std::string key = f.name + "|" + std::to_string(f.lo) + "|" + std::to_string(f.hi);
    if (f.body) key += "|" + std::to_string(*f.body);
    for (auto [k, id] : f.border) key += ";" + std::to_string(k) + "=" + std::to_string(id);
    return key;
}

std::string key_of(const LinearSystem& system) {
    std::string key;
    for (const auto* ids : {&system.matrix, &system.rhs})
        key.append(reinterpret_cast<const char*>(ids->data()), ids->size() * sizeof(NodeId));
    return key;
}

} // namespace

// The table starts small: a run of one step makes six copies of a graph that may have a few hundred nodes.
Graph::Graph() : table_(1 << 10) {
    nodes_.push_back({Op::count, false, 0, 0, 0, 0}); // id 0 stands for "none"
}

// The first cell that fits(id), or the empty one where that node belongs. The first bucket to look in is chosen by the
// node's newest child, not by a hash: nodes that are made one after the other have children that were made one after
// the other, so a derivation moves through the table in order instead of missing the cache at every node. Constants are
// placed by their leading digits, since they come in sequences, too. If that bucket is full, the cell is chosen by the
// hash.
template <class Fits> Graph::Cell& Graph::cell(std::uint64_t hash, std::size_t near, Fits&& fits) {
    const std::size_t mask = table_.size() - 1;
    const Cell tag = tag_of(hash);
    const auto ends = [&](Cell c) { return c == 0 || ((c ^ tag) >> 28 == 0 && fits(id_in(c))); };
    near = near * bucket & mask;
    for (std::size_t i = near; i < near + bucket; ++i)
        if (ends(table_[i])) return table_[i];
    // Double hashing: full buckets lie side by side, and linear probing would walk through all of them.
    std::size_t i = hash & mask;
    const std::size_t stride = hash >> 32 | 1;
    while (!ends(table_[i])) i = (i + stride) & mask;
    return table_[i];
}

namespace {

std::size_t bucket_of(const Node& n) {
    const std::uint64_t size = (std::uint64_t(n.d) << 32 | n.c) >> 28; // of a number: sign, exponent, 20 binary digits
    return n.op == Op::constant ? size : std::max({n.a, n.b, n.c, n.d}) / (bucket / 2);
}

} // namespace

Graph::Cell& Graph::cell_of(const Node& x, std::uint64_t hash) {
    return cell(hash, bucket_of(x), [&](NodeId id) {
        const Node& n = nodes_[id];
        return n.op == x.op && n.a == x.a && n.b == x.b && n.c == x.c && n.d == x.d;
    });
}

void Graph::grow_table() {
    const std::size_t size = table_.size() * (table_.size() < 1 << 14 ? 4 : 2);
    table_ = {}; // freed before the larger one is allocated: it is refilled from the nodes
    table_.resize(size);
    for (NodeId id = 1; id < nodes_.size(); ++id) {
        const Node& n = nodes_[id];
        const std::uint64_t hash = hash_node(n.op, n.a, n.b, n.c, n.d);
        cell(hash, bucket_of(n), [](NodeId) { return false; }) = id | tag_of(hash); // no two are the same
    }
}

NodeId Graph::make(Op op, NodeId a, NodeId b, NodeId c, NodeId d) {
    const std::uint64_t hash = hash_node(op, a, b, c, d);
    Cell& place = cell_of({op, false, a, b, c, d}, hash);
    if (place) return id_in(place);
    if (nodes_.size() >= max_nodes) throw ExprError("the formulas are too large to be derived");
    const NodeId id = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({op, false, a, b, c, d});
    bool rolled = op == Op::index || op == Op::element || op == Op::sum;
    if (!rolled) for_children(id, [&](NodeId child) { rolled |= nodes_[child].rolled; });
    nodes_[id].rolled = rolled;
    place = id | tag_of(hash);
    if (nodes_.size() * 2 > table_.size()) grow_table();
    return id;
}

namespace {

// The bytes of a quad that hold its value: an x87 long double has ten of them, and six that may be anything.
constexpr std::size_t quad_bytes = Real<quad>::digits == 64 ? 10 : sizeof(quad);

} // namespace

Expr Graph::constant(quad value) {
    if (value == 0) value = 0; // one zero only: -0 would be a second node for the same number
    std::uint32_t bits[4] = {};
    std::memcpy(bits, &value, quad_bytes);
    return {*this, make(Op::constant, bits[0], bits[1], bits[2], bits[3])}; // the node is its value
}

quad Graph::value(NodeId id) const {
    const Node& n = nodes_[id];
    const std::uint32_t bits[4] = {n.a, n.b, n.c, n.d};
    quad value = 0;
    std::memcpy(&value, bits, quad_bytes);
    return value;
}

Expr Graph::symbol(std::string_view name) {
    if (names_.size() * 2 >= symbols_.size()) grow_symbols();
    const std::uint64_t hash = std::hash<std::string_view>()(name);
    const std::size_t mask = symbols_.size() - 1;
    for (std::size_t i = hash & mask; symbols_[i]; i = (i + 1) & mask)
        if (const NodeId id = id_in(symbols_[i]);
            (symbols_[i] ^ tag_of(hash)) >> 28 == 0 && names_[nodes_[id].a] == name)
            return {*this, id};
    names_.add(name);
    const NodeId id = make(Op::symbol, static_cast<NodeId>(names_.size() - 1));
    put_symbol(id | tag_of(hash), hash);
    return {*this, id};
}

void Graph::put_symbol(Cell cell, std::uint64_t hash) {
    const std::size_t mask = symbols_.size() - 1;
    std::size_t i = hash & mask;
    while (symbols_[i]) i = (i + 1) & mask;
    symbols_[i] = cell;
}

void Graph::grow_symbols() {
    std::vector<Cell> old(std::max<std::size_t>(64, 2 * symbols_.size()));
    old.swap(symbols_);
    for (Cell cell : old)
        if (cell) put_symbol(cell, std::hash<std::string_view>()(names_[nodes_[id_in(cell)].a]));
}

std::shared_ptr<Graph> Graph::copy() const {
    auto copy = std::make_shared<Graph>();
    copy->nodes_ = nodes_, copy->table_ = table_, copy->names_ = names_, copy->symbols_ = symbols_;
    copy->families_ = families_, copy->members_ = members_, copy->family_index_ = family_index_;
    copy->systems_ = systems_, copy->system_index_ = system_index_, copy->next_index_ = next_index_;
    return copy;
}

Expr Graph::free_index() { return {*this, make(Op::index, 0)}; }
Expr Graph::any_index() { return {*this, make(Op::index, 1)}; }
Expr Graph::fresh_index() { return {*this, make(Op::index, next_index_++)}; }

FamilyId Graph::family(Family definition) {
    auto [it, is_new] = family_index_.try_emplace(key_of(definition), static_cast<FamilyId>(families_.size()));
    if (is_new) families_.push_back(std::move(definition));
    return it->second;
}

Expr Graph::member(FamilyId leaf, int k) {
    const Family& f = families_[leaf];
    if (leaf >= members_.size()) members_.resize(leaf + 1);
    std::vector<NodeId>& members = members_[leaf];
    if (members.empty()) members.resize(static_cast<std::size_t>(f.hi - f.lo + 1), 0);
    NodeId& id = members[static_cast<std::size_t>(k - f.lo)];
    if (!id) id = symbol(member_name(f.name, k)).id();
    return {*this, id};
}

std::optional<AffineIndex> affine_index(const Graph& graph, NodeId index) {
    const auto whole = [&](NodeId id) -> std::optional<int> {
        if (graph.node(id).op != Op::constant) return {};
        const quad v = graph.value(id);
        if (!(real::abs(v) < static_cast<quad>(1 << 30)) || real::floor(v) != v) return {};
        return static_cast<int>(v);
    };
    const Node& n = graph.node(index);
    if (auto c = whole(index)) return AffineIndex{{}, *c};
    if (n.op == Op::index) return AffineIndex{index, 0};
    if (n.op != Op::add && n.op != Op::sub) return {};
    const auto constant = whole(n.b), other = whole(n.a);
    if (constant && graph.node(n.a).op == Op::index) return AffineIndex{n.a, n.op == Op::add ? *constant : -*constant};
    if (other && n.op == Op::add && graph.node(n.b).op == Op::index) return AffineIndex{n.b, *other};
    return {};
}

Expr Graph::element(FamilyId family, const Expr& index) {
    const NodeId id = index.in(*this);
    const auto affine = affine_index(*this, id);
    if (!affine) throw ExprError("an index is a whole number, or an index plus or minus one: x[3], x[i], x[i-1]");
    NodeId canonical = id;
    if (affine->variable && affine->shift != 0)
        canonical = make(Op::add, *affine->variable, constant(affine->shift).id());
    return {*this, make(Op::element, family, canonical)};
}

Expr Graph::sum(const Expr& index, const Expr& lo, const Expr& hi, const Expr& body) {
    if (body.is(0)) return 0.0;
    return {*this, make(Op::sum, lo.in(*this), hi.in(*this), body.in(*this), index.in(*this))};
}

Expr Graph::balanced_sum(const std::vector<Expr>& terms) {
    std::vector<NodeId> ids;
    for (const Expr& e : terms) ids.push_back(e.in(*this));
    return balanced_sum(std::move(ids));
}

Expr Graph::balanced_sum(std::vector<NodeId> terms) {
    if (terms.empty()) return 0.0;
    while (terms.size() > 1) {
        std::size_t half = 0;
        for (std::size_t i = 0; i + 1 < terms.size(); i += 2)
            terms[half++] = (Expr(*this, terms[i]) + Expr(*this, terms[i + 1])).in(*this);
        if (terms.size() % 2) terms[half++] = terms.back();
        terms.resize(half);
    }
    return {*this, terms[0]};
}

std::vector<Expr> Graph::solve(std::span<const Expr> matrix, std::span<const Expr> rhs) {
    const std::size_t n = rhs.size();
    if (matrix.size() != n * n) throw ExprError("solve(A, b) needs a square matrix with as many rows as b");
    if (std::all_of(rhs.begin(), rhs.end(), [](const Expr& e) { return e.is(0); }))
        return std::vector<Expr>(n, Expr(0));
    if (n == 1) return {rhs[0] / matrix[0]};
    LinearSystem system{static_cast<std::uint32_t>(n), {}, {}};
    for (const Expr& e : matrix) system.matrix.push_back(e.in(*this));
    for (const Expr& e : rhs) system.rhs.push_back(e.in(*this));
    const std::uint32_t id = add_system(std::move(system));
    std::vector<Expr> solution;
    for (std::uint32_t i = 0; i < n; ++i) solution.emplace_back(*this, make(Op::solve, id, i));
    return solution;
}

std::uint32_t Graph::add_system(LinearSystem system) {
    const auto [it, is_new] = system_index_.try_emplace(key_of(system), static_cast<std::uint32_t>(systems_.size()));
    if (is_new) systems_.push_back(std::move(system));
    return it->second;
}

Expr Graph::solution(std::uint32_t system, std::uint32_t component) {
    return {*this, make(Op::solve, system, component)};
}

NodeId Expr::in(Graph& graph) const {
    if (!graph_) return graph.constant(number_).id();
    if (graph_ != &graph) throw ExprError("formulas of different graphs cannot be combined");
    return id_;
}

std::optional<quad> Expr::constant() const {
    if (!graph_) return number_;
    if (graph_->node(id_).op == Op::constant) return graph_->value(id_);
    return {};
}

bool Expr::is_constant(quad value) const {
    if (!graph_) return number_ == value;
    const Node& n = graph_->node(id_);
    return n.op == Op::constant && std::memcmp(&n.a, &value, quad_bytes) == 0;
}

std::shared_ptr<Graph> new_graph() { return std::make_shared<Graph>(); }

Op Expr::op() const { return graph_ ? graph_->node(id_).op : Op::constant; }

void Graph::begin_visit() const {
    stamps_.resize(nodes_.size(), 0);
    if (++epoch_ == 0) {
        std::fill(stamps_.begin(), stamps_.end(), std::uint16_t(0));
        epoch_ = 1;
    }
}

// Ids of formulas that were built together lie close to each other: then marking them in a bitmap from the lowest to
// the highest and reading it off is faster than sorting.
void in_order(std::vector<NodeId>& ids) {
    if (ids.size() < 2) return;
    const auto [first, last] = std::minmax_element(ids.begin(), ids.end());
    const std::size_t lowest = *first, span = *last - lowest + 1;
    if (span > 16 * ids.size()) return std::sort(ids.begin(), ids.end());
    std::vector<std::uint64_t> present(span / 64 + 1, 0);
    for (NodeId id : ids) present[(id - lowest) / 64] |= std::uint64_t(1) << (id - lowest) % 64;
    std::size_t next = 0;
    for (std::size_t word = 0; word < present.size(); ++word)
        for (std::uint64_t bits = present[word]; bits; bits &= bits - 1)
            ids[next++] = static_cast<NodeId>(lowest + word * 64 + static_cast<unsigned>(std::countr_zero(bits)));
}

std::vector<NodeId> reachable(const Graph& graph, std::span<const NodeId> roots, bool through_families) {
    std::vector<NodeId> found, stack(roots.begin(), roots.end());
    graph.begin_visit();
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        if (!graph.visit(id)) continue;
        found.push_back(id);
        graph.for_children(id, [&](NodeId child) { stack.push_back(child); });
        if (through_families && graph.node(id).op == Op::element) {
            const Family& f = graph.family(graph.node(id).a);
            if (f.body) stack.push_back(*f.body);
            for (auto [k, value] : f.border) stack.push_back(value);
        }
    }
    in_order(found);
    return found;
}

} // namespace rattleback
