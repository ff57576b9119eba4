// What the names of a model mean, as far as it has been read.
#pragma once

#include <rattleback/model.hpp>

#include <set>

#include "expr/elaborate.hpp"

namespace rattleback::model {

class ModelScope : public Scope {
  public:
    explicit ModelScope(Graph& graph) : graph_(graph) {}

    // Parameters are numbers where numbers are wanted (ranges, initial values) and symbols in formulas.
    void add_parameter(const std::string& name, const Expr& symbol, quad value) { parameters_[name] = {symbol, value}; }
    void parameters_as_numbers(bool yes) { as_numbers_ = yes; }
    void add_time(const Expr& t) { time_ = t; }
    void add_coordinate(const Component& q, const Component& v, const Component& p);
    void add_variable(const Component& z) { variables_[z.name] = z; }
    void add_definition(const std::string& name, Tensor value) { definitions_[name] = std::move(value); }
    // name[i] = formula for any i, written with the graph's free index.
    void add_template(const std::string& name, const Expr& value) { templates_[name] = value; }
    void set_motion(Vec from, Vec to) { from_ = std::move(from), to_ = std::move(to); } // d/dt: q, t -> v, 1

    bool taken(const std::string& name) const;

    std::optional<Tensor> name(const std::string& name, bool primed) override;
    std::optional<Expr> element(const std::string& name, const Expr& index, bool primed) override;
    std::vector<std::string> known() const override;
    Expr structural(const Expr& e) override;
    Expr time_derivative(const Expr& e, const std::string& name) const;

  private:
    struct Coordinate {
        Component q, v, p;
    };
    Expr member(const Component& family, const Expr& index) const;

    Graph& graph_;
    std::map<std::string, std::pair<Expr, quad>> parameters_;
    bool as_numbers_ = false;
    std::optional<Expr> time_;
    std::map<std::string, Coordinate> coordinates_;
    std::map<std::string, Component> variables_;
    std::map<std::string, Tensor> definitions_;
    std::map<std::string, Expr> templates_;
    Vec from_, to_;
};

} // namespace rattleback::model
