#include "expr/dense_limit.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "expr/rewrite.hpp"
#include "expr/shown.hpp"
#include "expr/sums.hpp"

namespace rattleback {
namespace {

double limit_of_environment() {
    const char* const given = std::getenv("RATTLEBACK_DENSE_LIMIT");
    if (!given || !*given) return 1e7;
    const std::string_view text(given);
    double number = 0;
    const auto read = std::from_chars(text.begin(), text.end(), number);
    if (read.ec != std::errc() || read.ptr != text.end() || !std::isfinite(number) || number <= 0)
        throw ExprError("RATTLEBACK_DENSE_LIMIT in the environment is '" + shown(shortened(text)) +
                        "': it must be a positive number of operations, such as 1e8");
    return number;
}

// Of the blocks in which every member of a row depends on every member of a column.
double operations(const std::vector<JacobianTerm>& terms, const Vec& rows, const Vec& columns) {
    double sum = 0;
    for (const JacobianTerm& t : terms)
        if (t.kind == JacobianTerm::full && t.value.graph())
            sum += static_cast<double>(rows[t.row].count()) * static_cast<double>(columns[t.column].count()) *
                   static_cast<double>(reachable(*t.value.graph(), std::array{t.value.id()}).size());
    return sum;
}

} // namespace

double dense_limit() {
    static const double limit = limit_of_environment();
    return limit;
}

void require_below_dense_limit(double operations, const char* what) {
    if (!(operations > dense_limit())) return;
    char text[400];
    std::snprintf(text, sizeof text,
                  "the %s of these equations have %.3g operations or more, the limit is %.3g: nearly all of "
                  "them depend on nearly all coordinates; take fewer coordinates, or raise the limit with "
                  "RATTLEBACK_DENSE_LIMIT=%.2g in the environment (10 million take about 1 GB)",
                  what, operations, dense_limit(), 2 * operations);
    throw ExprError(text);
}

void require_below_dense_limit(const std::vector<JacobianTerm>& terms, const Vec& rows, const Vec& columns) {
    require_below_dense_limit(operations(terms, rows, columns));
}

void require_below_dense_limit(const Vec& f, const Vec& leaves) {
    const Graph* const graph = graph_of(f);
    if (!graph || static_cast<double>(f.count()) * static_cast<double>(leaves.count()) < dense_limit() / 1000) return;
    const std::shared_ptr<Graph> scratch = graph->copy();
    const auto copied = [&](Vec v) {
        for (std::size_t i = 0; i < v.size(); ++i)
            if (v[i].value.graph()) v[i].value = Expr(*scratch, v[i].value.id());
        return v;
    };
    const Vec rows = copied(f), columns = copied(leaves);
    require_below_dense_limit(jacobian(rows, columns), rows, columns);
}

void require_sums_below_dense_limit(const Vec& f) {
    if (const Graph* const graph = graph_of(f)) require_below_dense_limit(NestedSums(*graph).operations(f), "sums");
}

} // namespace rattleback
