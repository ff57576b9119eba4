#include "expr/constant.hpp"
#include "expr/graph.hpp"

namespace rattleback {
namespace {

class NoNames : public Scope {
  public:
    std::optional<Tensor> name(const std::string&, bool) override { return {}; }
    std::optional<Tensor> element(const std::string&, const Expr&, bool) override { return {}; }
    std::vector<std::string> known() const override { return {"pi"}; }
};

} // namespace

quad require_number(const Expr& e) {
    const Expr scalar = expand(e);
    const auto value = scalar.constant();
    if (!value || !real::is_finite(static_cast<double>(*value)))
        throw ExprError(to_text(scalar, 60) + " is not a finite number");
    return *value;
}

quad constant_value(const std::string& text) {
    Graph graph;
    NoNames scope;
    const Tensor t = elaborate(graph, syntax::parse(text), scope);
    if (!t.is_scalar()) throw ExprError("a number is needed, not " + t.shape());
    return require_number(t.scalar());
}

} // namespace rattleback
