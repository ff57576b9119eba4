// What the names of a model mean, as far as it has been read.
#pragma once

#include <rattleback/model.hpp>

#include <functional>
#include <set>

#include "expr/elaborate.hpp"
#include "expr/graph.hpp"
#include "expr/rewrite.hpp"
#include "group/group.hpp"
#include "model/data_table.hpp"

namespace rattleback::model {

// What is beyond is refused: it would fill the memory, or the day, before anything could be said about it. Fuzzing,
// with slow checks and little patience, lowers them.
struct ReadingLimits {
    int members = 200'000;           // coordinates in all, or of one range
    double unrolled = 2e7;           // nodes of all formulas, their sums and families unrolled
    std::size_t nodes = 6'000'000;   // of the graph
    std::size_t rebuilt = 3'000'000; // nodes of definitions that are derived or shifted, in all
    std::uint32_t nesting = 10'000;  // of functions, products and powers
    std::uint8_t sums = 32;          // one inside the other, through definitions
};
inline ReadingLimits reading_limits;

// What a formula is made of, as far as rules ask.
struct Contents {
    bool velocity = false, momentum = false;
    bool now = false;          // coordinates, velocities, momenta or time: what a step has at both of its ends
    std::uint8_t sums = 0;     // one inside the other
    std::uint32_t nesting = 0; // of functions, products and powers
};

class ModelScope : public Scope {
  public:
    explicit ModelScope(Graph& graph) : graph_(graph), numbers_(graph, false) {}

    // Parameters are numbers where numbers are wanted (ranges, initial values) and symbols in formulas.
    void add_parameter(const std::string& name, const Expr& symbol, quad value);
    void fix_parameters_of(const Expr& e); // something that is no formula any more was computed from it
    bool is_fixed(const Expr& parameter) const { return fixed_.contains(parameter.id()); }
    void add_time(const Expr& t);
    void add_coordinate(const Component& q, const Component& v, const Component& p);
    // A coordinate on a group: R is a matrix, R' its rate, p_R the momentum seen from the body.
    void add_group_coordinate(const std::string& name, const LieGroup& group, const Vec& w, const Vec& rate,
                              const Vec& p, const Vec& centre, const Vec& body = {});
    // A family with two indices: its rows are coordinates of their own, named u[3,*].
    struct Grid {
        int lo, hi, first, last;                         // of the first index, of the second
        std::map<int, Expr> rows = {};                   // border values of whole rows, of the free index
        std::map<std::pair<int, int>, Expr> points = {}; // single ones
    };
    void add_grid(const std::string& name, Grid grid) { grids_[name] = std::move(grid); }
    bool has_grids() const { return !grids_.empty(); }
    bool is_grid(const std::string& name) const { // or its momentum
        return grids_.contains(name) || (name.rfind("p_", 0) == 0 && grids_.contains(name.substr(2)));
    }
    bool has_rows(const std::string& name, std::size_t indices) const; // the first of its indices is that of a row
    void add_table(const std::string& name, DataTable table) { tables_[name] = std::move(table); }
    void add_input(const std::string& name, const Expr& symbol) { inputs_[name] = symbol; } // of [control]
    void add_variable(const Component& z) { variables_[z.name] = z; }
    void add_end(const Component& end) { ends_[end.name] = end; } // of a step: x_0, x_1, t_0, t_1, h
    void add_definition(const std::string& name, Tensor value) { definitions_[name] = {std::move(value), {}}; }
    // name[i] = formula for any i, written with the graph's free index.
    void add_template(const std::string& name, const Expr& value) { templates_[name] = {value, {}, {}}; }
    // name[i,j] = formula for any i and j, written with these two indices.
    void add_template(const std::string& name, const Expr& value, const Expr& i, const Expr& j);
    // name[i,j] or name[i], where i is the row of a family with two indices: `of` one row, with the free index for j.
    void add_by_row(const std::string& name, std::size_t indices, std::function<Expr(int row)> of);
    void set_motion(Vec from, Vec to) { from_ = std::move(from), to_ = std::move(to); } // d/dt: q, t -> v, 1

    bool taken(const std::string& name) const;
    const Contents& contents(const Expr& e);
    Contents contents(const std::string& name, bool primed); // of what a name stands for

    std::optional<Tensor> name(const std::string& name, bool primed) override;
    std::optional<Tensor> element(const std::string& name, const Expr& index, bool primed) override;
    std::optional<Tensor> element(const std::string& name, const Expr& row, const Expr& index, bool primed) override;
    // body(R), space(R), rotation(R), position(R), angle(R) of coordinates on groups.
    std::optional<Tensor> function_of(const std::string& function, const std::string& name,
                                      const std::optional<Expr>& index) override;
    std::optional<Expr> table(const std::string& name, const Expr& argument) override;
    std::vector<std::string> known() const override;
    Expr structural(const Expr& e) override;
    bool wants_finite_numbers() const override { return true; }
    Expr with_numbers(const Expr& e) { return numbers_(e); } // the parameters replaced by their values

  private:
    struct Coordinate {
        Component q, v, p;
    };
    struct OnGroup {
        const LieGroup* group;
        Vec w, rate, p, centre;
        Vec body; // velocities seen from the body, where they are coordinates; else empty
    };
    struct Definition {
        Tensor value;
        std::optional<Tensor> rate; // once it has been asked for
    };
    struct Template {
        Expr value;
        std::optional<Expr> rate;
        std::map<std::pair<NodeId, bool>, Expr> members; // by index and prime
    };
    struct TwoIndices {
        Expr value, i, j;
        std::optional<Expr> rate;
    };
    struct ByRow {
        std::size_t indices;
        std::function<Expr(int)> of;
        std::map<int, Template> rows; // those that were asked for
    };
    Expr member(Template& of, const std::string& name, const Expr& index, bool primed);
    Template& row(ByRow& of, const std::string& name, const Expr& row);
    std::string two_indices(const std::string& name) const; // that of a family or definition with two
    void note(const Component& leaf, Contents what);
    Expr member(const Component& family, const Expr& index, const std::string& coordinate) const;
    Numbers numbers_of(const Vec& leaves, const std::optional<Expr>& index) const;
    Tensor group_value(const std::string& name, const OnGroup& of, const std::optional<Expr>& index, bool primed);
    Expr time_derivative(const Expr& e, const std::string& name);
    void require_room() const;
    void count_rebuilt(const Expr& e, const std::string& what);

    Graph& graph_;
    std::map<std::string, Expr> parameters_;
    Rewriter numbers_; // of the parameters
    std::set<NodeId> fixed_;
    std::optional<Expr> time_;
    std::map<std::string, Coordinate> coordinates_;
    std::map<std::string, OnGroup> on_groups_;
    std::map<std::string, Grid> grids_;
    std::map<std::string, DataTable> tables_;
    std::map<std::string, Component> variables_, ends_;
    std::map<std::string, Expr> inputs_;
    std::map<std::string, Definition> definitions_;
    std::map<std::string, Template> templates_;
    std::map<std::string, TwoIndices> of_two_;
    std::map<std::string, ByRow> by_row_;
    std::vector<Contents> contents_; // by node, as far as it has been asked for
    std::unordered_map<NodeId, Contents> leaves_;
    std::unordered_map<FamilyId, Contents> families_;
    std::size_t rebuilt_ = 0;
    Vec from_, to_;
};

// What unrolling a formula of a family with members lo..hi would meet, found without unrolling it.
struct Unrolling {
    double size = 1;      // nodes, up to `enough`
    bool outside = false; // perhaps members that do not exist
};
// Throws ExprError for bounds of sums that are no whole numbers.
Unrolling unrolling(Graph& graph, const Expr& e, int lo, int hi, double enough);

} // namespace rattleback::model
