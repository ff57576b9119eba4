#include "evidence/distribution.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/flags.hpp"
#include "expr/graph.hpp"

namespace rattleback {
namespace {

constexpr int largest_dimension = 40;
constexpr int largest_symbolic = 8, largest_without_numbers = 12; // formulas of brackets grow
constexpr std::size_t most_fields = 150;
constexpr std::size_t deepest = 6;
constexpr int generic_point = 3; // of the sample

using Field = std::vector<Expr>;

// Vector fields and their brackets, as formulas.
class VectorFields {
  public:
    VectorFields(const Sample& sample, const Vec& space) : sample_(sample), space_(space) {}

    // [X, Y] = Y_x X - X_x Y
    Field bracket(const Field& X, const Field& Y) const {
        Field result(X.size(), Expr(0));
        add(result, Y, X, 1), add(result, X, Y, -1);
        return result;
    }

    // Values at a point, one row a field. A row of noise is made zero: rank decisions see directions only.
    Dense rows(const std::vector<Field>& fields, int point) const {
        Vec all;
        for (const Field& f : fields)
            for (const Expr& e : f) all.push_back({"", e});
        Dense m(fields.size(), static_cast<std::size_t>(space_.count()));
        m.entries = sample_.at(all, point);
        if (m.entries.size() != all.size()) return {};
        for (std::size_t i = 0; i < m.rows; ++i) {
            double size = 0;
            for (std::size_t j = 0; j < m.columns; ++j) size = std::max(size, std::abs(m(i, j)));
            for (std::size_t j = 0; j < m.columns && size < 1e-10; ++j) m(i, j) = 0;
        }
        return m;
    }

  private:
    void add(Field& result, const Field& f, const Field& along, int sign) const {
        Vec formulas;
        for (const Expr& e : f) formulas.push_back({"", e});
        for (const ScalarEntry& e : expand(jacobian(formulas, space_), formulas, space_))
            result[e.row] = result[e.row] + Expr(sign) * e.value * along[e.column];
    }

    const Sample& sample_;
    const Vec& space_;
};

// A basis of the kernel of A as formulas: one field for each column that is not a pivot.
std::vector<Field> kernel(Graph& graph, const std::vector<Field>& A, const std::vector<std::size_t>& pivots,
                          std::size_t n) {
    std::vector<Field> fields;
    for (std::size_t j = 0; j < n; ++j) {
        if (std::find(pivots.begin(), pivots.end(), j) != pivots.end()) continue;
        std::vector<Expr> matrix, right;
        for (const Field& row : A) {
            for (std::size_t k : pivots) matrix.push_back(row[k]);
            right.push_back(-row[j]);
        }
        Field field(n, Expr(0));
        field[j] = Expr(1);
        const std::vector<Expr> solved = A.empty() ? std::vector<Expr>() : graph.solve(matrix, right);
        for (std::size_t k = 0; k < solved.size(); ++k) field[pivots[k]] = solved[k];
        fields.push_back(field);
    }
    return fields;
}

// Levels of brackets: those of the last level with the basis.
class Flag {
  public:
    Flag(const VectorFields& fields, std::vector<Field> basis)
        : fields_(fields), basis_(basis), last_(basis), all_(basis) {}

    bool exhausted() const { return last_.empty(); }
    bool measure(int point, std::vector<int>& growth) const {
        const Dense rows = fields_.rows(all_, point);
        if (rows.entries.empty()) return false;
        growth.push_back(rank_of(rows));
        return true;
    }

    enum Extension { extended, closed, too_many };
    Extension extend() {
        std::vector<Field> next;
        for (std::size_t i = 0; i < basis_.size(); ++i)
            for (std::size_t j = level_ == 1 ? i + 1 : 0; j < last_.size(); ++j) {
                if (all_.size() + next.size() >= most_fields) return too_many;
                const Field f = fields_.bracket(basis_[i], last_[j]);
                if (std::any_of(f.begin(), f.end(), [](const Expr& e) { return !e.is(0); })) next.push_back(f);
            }
        all_.insert(all_.end(), next.begin(), next.end());
        last_ = next;
        return next.empty() ? closed : ++level_ <= deepest ? extended : too_many;
    }

  private:
    const VectorFields& fields_;
    std::vector<Field> basis_, last_, all_;
    std::size_t level_ = 1;
};

bool all_zero(const std::vector<std::vector<double>>& values) {
    if (values.front().empty()) return false;
    for (const auto& point : values)
        for (double x : point)
            if (!(std::abs(x) <= 1e-13)) return false;
    return true;
}

// What is not linear as it is written may be so when it is multiplied out: then the second derivative along p vanishes,
// which is as good a direction as any other.
bool is_linear(const Sample& sample, const Vec& phi) {
    const Model& model = sample.model();
    std::vector<Expr> slopes;
    for (const JacobianTerm& t : jacobian(phi, model.v)) slopes.push_back(t.value);
    return !contains(*model.graph, slopes, model.v) ||
           all_zero(sample.at_all(derivative_along(derivative_along(phi, model.v, model.p), model.v, model.p)));
}

// Rows of A, or of (A, b), that are independent at the start, and columns that make them so.
struct Independent {
    std::vector<Field> rows;
    std::vector<std::size_t> pivots;
};
Independent independent_rows(const Sample& sample, const Vec& phi, const Vec& offset, bool in_time, int dimension) {
    const Model& model = sample.model();
    const auto n = static_cast<std::size_t>(dimension);
    std::vector<Field> rows(static_cast<std::size_t>(phi.count()), Field(n, Expr(0)));
    for (const ScalarEntry& e : expand(jacobian(phi, model.v), phi, model.v)) rows[e.row][e.column] = e.value;
    const std::vector<Expr> offsets = expand(offset);
    const Dense A = sample.matrix(phi, model.v);
    Dense kept(0, A.columns);
    Independent result;
    for (int row : row_rank(A).independent_rows) {
        const auto i = static_cast<std::size_t>(row);
        ++kept.rows;
        for (std::size_t j = 0; j < A.columns; ++j) kept.entries.push_back(A(i, j));
        result.rows.push_back(rows[i]);
        if (in_time) result.rows.back().back() = offsets[i];
    }
    result.pivots = pivot_columns(kept);
    return result;
}

} // namespace

Distribution::Distribution(const Sample& sample, const Vec& phi) {
    const Model& model = sample.model();
    const std::vector<Dense> A = sample.matrices(phi, model.v);
    for (const Dense& m : A)
        if (!m.entries.empty()) generic_rank = std::max(generic_rank, rank_of(m));
    rank = A[0].entries.empty() ? 0 : rank_of(A[0]);
    linear_in_v = is_linear(sample, phi);
    if (!linear_in_v) return;
    const Vec b = substitute(phi, {{model.v, zeros_like(model.v)}});
    homogeneous = all_zero(sample.at_all(b));
    in_time = !homogeneous || contains(*model.graph, values_of(phi), model.time_vec());
    Vec space; // scalars, as formulas of members have them
    for (const Expr& e : expand(in_time ? concat({model.q, model.time_vec()}) : model.q)) space.push_back({"", e});
    dimension = space.count();
    if (dimension > largest_dimension || rank != generic_rank || rank == 0) return;
    const Independent rows = independent_rows(sample, phi, b, in_time, dimension);
    const NumericFlag flag(sample, space, rows.rows, rows.pivots);
    const std::vector<int> around = flag.growth(generic_point), here = flag.growth(0);
    if (!around.empty() && here == around) {
        generic = growth = around, known = true;
        return;
    }
    // Where the start is not like the points around it, what may be left out there is not known in advance.
    if (dimension <= (around.empty() ? largest_without_numbers : largest_symbolic))
        bracket(sample, space, kernel(*model.graph, rows.rows, rows.pivots, static_cast<std::size_t>(dimension)));
    if (!known && !around.empty()) generic = around, growth.clear(), known = true;
}

void Distribution::bracket(const Sample& sample, const Vec& space, const std::vector<std::vector<Expr>>& basis) {
    const VectorFields fields(sample, space);
    Flag flag(fields, basis);
    for (Flag::Extension more = Flag::extended; more == Flag::extended; more = flag.extend()) {
        if (!flag.measure(0, growth) || !flag.measure(generic_point, generic)) return;
        // Where brackets of one more level add nothing on an open set, none of any level do.
        known = generic.back() == dimension || (generic.size() > 1 && generic.back() == generic[generic.size() - 2]);
        if (known && growth.back() >= generic.back()) break;
    }
    known |= flag.exhausted();
    for (std::vector<int>* v : {&growth, &generic}) // what is repeated at the end tells nothing
        while (v->size() > 1 && v->back() == (*v)[v->size() - 2]) v->pop_back();
}

} // namespace rattleback
