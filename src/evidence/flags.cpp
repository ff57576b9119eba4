#include "evidence/flags.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/linear.hpp"

namespace rattleback {
namespace {

constexpr std::size_t most_terms = 300; // of a series
constexpr double negligible = 1e-9;     // of a bracket, beside what it is the difference of

// b[k] of A b = right, by elimination with the largest first terms as pivots. Empty: singular.
std::optional<std::vector<Jet>> solved(const JetSpace& jets, std::vector<std::vector<Jet>> a, std::vector<Jet> right) {
    const std::size_t n = right.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(a[i][k][0]) > std::abs(a[best][k][0])) best = i;
        if (!(std::abs(a[best][k][0]) > 1e-12)) return {};
        std::swap(a[k], a[best]), std::swap(right[k], right[best]);
        for (std::size_t i = k + 1; i < n; ++i) {
            if (std::all_of(a[i][k].begin(), a[i][k].end(), [](double c) { return c == 0; })) continue;
            const Jet factor = over(jets, a[i][k], a[k][k]);
            for (std::size_t j = k; j < n; ++j) a[i][j] = plus(a[i][j], times(jets, factor, a[k][j]), -1);
            right[i] = plus(right[i], times(jets, factor, right[k]), -1);
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) right[k] = plus(right[k], times(jets, a[k][j], right[j]), -1);
        right[k] = over(jets, right[k], a[k][k]);
    }
    return right;
}

} // namespace

NumericFlag::NumericFlag(const Sample& sample, const Vec& space, const std::vector<std::vector<Expr>>& rows,
                         std::vector<std::size_t> pivots)
    : sample_(sample), dimension_(space.size()), pivots_(std::move(pivots)) {
    for (std::size_t j = 0; j < dimension_; ++j)
        if (std::find(pivots_.begin(), pivots_.end(), j) == pivots_.end()) free_.push_back(j);
    fields_ = free_.size();
    std::vector<Expr> formulas;
    numbers_.assign(rows.size(), std::vector<double>(dimension_, 0.0));
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < dimension_; ++j)
            if (const auto number = rows[i][j].constant())
                numbers_[i][j] = static_cast<double>(*number);
            else
                places_.emplace_back(i, j), formulas.push_back(rows[i][j]);
    const Graph& graph = *sample.model().graph;
    entries_ = JetFormulas::of(graph, formulas);
    if (!entries_) return;
    for (NodeId id : entries_->symbols()) {
        const Expr symbol(*sample.model().graph, id);
        coordinate_.emplace_back();
        for (std::size_t j = 0; j < dimension_; ++j)
            if (space[j].value == symbol) coordinate_.back() = j;
        symbols_.push_back({"", symbol});
    }
}

std::optional<std::vector<Jet>> NumericFlag::field(const JetSpace& jets, std::size_t letter, const std::vector<Jet>& x,
                                                   const std::vector<double>& values) const {
    std::vector<Jet> symbols;
    for (std::size_t i = 0; i < coordinate_.size(); ++i)
        symbols.push_back(coordinate_[i] ? x[*coordinate_[i]] : constant(jets, values[i]));
    const std::vector<Jet> entries = entries_->at(jets, symbols);
    if (entries.size() != places_.size()) return {};
    const std::size_t m = numbers_.size();
    std::vector<std::vector<Jet>> all(m);
    for (std::size_t i = 0; i < m; ++i)
        for (double number : numbers_[i]) all[i].push_back(constant(jets, number));
    for (std::size_t k = 0; k < places_.size(); ++k) all[places_[k].first][places_[k].second] = entries[k];
    std::vector<std::vector<Jet>> matrix(m);
    std::vector<Jet> right, result(dimension_, constant(jets, 0));
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t k : pivots_) matrix[i].push_back(all[i][k]);
        right.push_back(plus(constant(jets, 0), all[i][free_[letter]], -1));
    }
    const auto found = solved(jets, std::move(matrix), std::move(right));
    if (!found) return {};
    result[free_[letter]] = constant(jets, 1);
    for (std::size_t k = 0; k < pivots_.size(); ++k) result[pivots_[k]] = (*found)[k];
    return result;
}

// Zeros where nothing but round-off is left.
std::optional<std::vector<double>> NumericFlag::bracket(const Word& word, const std::vector<double>& values) const {
    std::vector<int> degrees;
    std::vector<std::size_t> flows;
    for (std::size_t i = 0; i + 1 < word.letters.size(); ++i) {
        if (flows.empty() || flows.back() != word.letters[i]) flows.push_back(word.letters[i]), degrees.push_back(0);
        ++degrees.back();
    }
    std::size_t terms = 1;
    for (int d : degrees) terms *= static_cast<std::size_t>(d) + 1;
    if (terms > most_terms) return {};
    const JetSpace jets(degrees, dimension_);
    std::vector<Jet> x;
    for (std::size_t j = 0; j < dimension_; ++j) {
        x.push_back(constant(jets, 0));
        for (std::size_t i = 0; i < coordinate_.size(); ++i)
            if (coordinate_[i] == j) x[j][0] = values[i];
        x[j][jets.begin(j + 1)] = 1;
    }
    for (std::size_t k = 0; k < flows.size(); ++k) {
        const std::vector<Jet> start = x;
        for (int i = 0; i < degrees[k]; ++i) { // each pass is right to one power more
            const auto rate = field(jets, flows[k], x, values);
            if (!rate) return {};
            for (std::size_t j = 0; j < dimension_; ++j) x[j] = plus(start[j], integral(jets, (*rate)[j], k));
        }
    }
    const auto Y = field(jets, word.letters.back(), x, values);
    if (!Y) return {};
    // V = (D Phi)^-1 Y, term by term: D Phi begins with 1.
    std::vector<std::vector<double>> V(jets.terms(), std::vector<double>(dimension_));
    double size = 0;
    for (std::size_t term = 0; term < jets.terms(); ++term) {
        const bool last = term + 1 == jets.terms();
        for (std::size_t j = 0; j < dimension_; ++j)
            V[term][j] = (*Y)[j][term], size = last ? std::max(size, std::abs(V[term][j])) : 0;
        for (const JetSpace::Product& p : jets.products()) {
            if (p.term != term || p.left == 0) continue;
            for (std::size_t j = 0; j < dimension_; ++j)
                for (std::size_t s = 0; s < dimension_; ++s) {
                    const double part = x[j][jets.begin(s + 1) + p.left] * V[p.right][s];
                    V[term][j] -= part;
                    if (last) size = std::max(size, std::abs(part));
                }
        }
    }
    std::vector<double>& result = V.back();
    double largest = 0;
    for (double v : result) largest = std::max(largest, std::abs(v));
    for (double& v : result) v = largest > negligible * size ? v / largest : 0;
    return result;
}

std::vector<int> NumericFlag::growth(int point) const {
    if (!entries_ || fields_ == 0) return {};
    const std::vector<double> values = sample_.at(symbols_, point);
    if (values.size() != symbols_.size()) return {};
    Dense rows(0, dimension_);
    std::vector<Word> last, basis;
    std::vector<int> dimensions;
    const auto take = [&](const Word& word) { // false: not decided
        const auto vector = bracket(word, values);
        if (!vector) return false;
        ++rows.rows;
        rows.entries.insert(rows.entries.end(), vector->begin(), vector->end());
        if (rank_of(rows) == static_cast<int>(rows.rows)) return last.push_back(word), true;
        --rows.rows;
        rows.entries.resize(rows.rows * dimension_);
        return true;
    };
    for (std::size_t letter = 0; letter < fields_; ++letter)
        if (!take({{letter}})) return {};
    basis = last;
    while (dimensions.empty() || static_cast<int>(rows.rows) > dimensions.back()) {
        dimensions.push_back(static_cast<int>(rows.rows));
        if (rows.rows == dimension_) break;
        const std::vector<Word> before = std::move(last);
        last.clear();
        for (const Word& outer : basis)
            for (const Word& word : before) {
                Word longer = outer;
                longer.letters.insert(longer.letters.end(), word.letters.begin(), word.letters.end());
                if (longer.letters.size() == 2 && longer.letters[0] >= longer.letters[1]) continue;
                if (!take(longer)) return {};
            }
    }
    return dimensions;
}

} // namespace rattleback
