// Reading a model file: the tables of a document become a Model. Every rule has one message, with its place.
#pragma once

#include <rattleback/model.hpp>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "expr/graph.hpp"
#include "model/document.hpp"
#include "model/names.hpp"
#include "model/scope.hpp"
#include "model/view.hpp"

namespace rattleback::model {

// Something a formula can be read from: a string or a number of the file, or text from the command line.
struct FormulaText {
    const Value* value = nullptr;         // in the file
    std::string text;                     // else: what was typed
    std::string origin;                   // else: where, "--set m=..."
    std::optional<std::size_t> part = {}; // text is a part of that string, and begins at this byte of it
};

class Reader {
  public:
    Reader(Document document, const LoadOptions& options);
    Model read();

  private:
    // The tables, in the order they are read.
    void check_keys();
    void read_header();
    void read_parameters();
    void note_structure_parameters();
    void read_tables();
    void read_data_list(DataTable& data, const Value& list);
    void read_data_table(DataTable& data, const Value& table);
    void read_data_file(DataTable& data, const Value& file, const std::string& x, const std::string& y);
    void read_borders();
    void read_coordinates();
    void add_coordinate(const Component& shape);
    void set_motion();
    // Coordinates on groups, and the table [group].
    const LieGroup& read_group_name(const Value& value, std::size_t from) const;
    void add_group_coordinate(const Component& shape, const LieGroup& group);
    void read_group_factors();
    void read_group_mechanics();
    Vec read_group_constraints(const Entry& rows, const Numbers& xi);
    Expr read_kinetic_energy(const Entry& inertia, const Numbers& xi);
    void require_definite(const Entry& inertia, std::vector<quad> numbers) const;
    std::vector<Expr> read_list(const Value& list, std::size_t count, const std::string& what);
    void read_variables();
    void read_inputs();
    void read_control();
    void read_dynamics(const Entry& dynamics);
    void read_dynamics_of_mechanics(Range header);
    void require_mass(const std::vector<Expr>& mass, Range mechanics) const;
    void make_velocities_coordinates(const Vec& v);
    // Mechanics under control with velocity constraints; src/model/quasi_velocities.cpp, velocity_ends.cpp.
    Vec read_control_constraints();
    std::optional<quad> at_sample(const Expr& f, int number);
    std::vector<std::size_t> dependent_velocities(const std::vector<Vec>& A, const std::vector<std::size_t>& rows,
                                                  const std::vector<std::size_t>& columns, bool& constant);
    void leave_one_direction(const std::vector<Vec>& A, const std::vector<std::size_t>& rows,
                             const std::vector<std::size_t>& columns);
    void choose_left_velocities(const Vec& constraints, Range header);
    Expr in_left_velocities(const Expr& f) const;
    Vec dynamics_of_left_velocities(const std::vector<Expr>& mass, const std::vector<Expr>& applied, Range header);
    struct GivenVelocity {
        std::size_t place;
        Expr value;
        std::optional<quad> number;
        std::string text;
    };
    struct LeftVelocities {
        std::vector<double> w;
        std::vector<std::size_t> independent; // of the velocities that are given
        double miss = 0;                      // of the others
    };
    std::optional<std::pair<std::vector<double>, double>>
    velocity_at(std::size_t i, const std::vector<std::optional<quad>>& q, std::optional<quad> t, bool sampled);
    LeftVelocities solve_for_left(const std::vector<GivenVelocity>& given,
                                  const std::vector<std::pair<std::vector<double>, double>>& rows) const;
    [[noreturn]] void refuse_velocities(Range at, double miss) const;
    void read_end_velocities(const Value& from, const std::string& what, std::vector<std::optional<quad>>& values,
                             Vec& set);
    std::vector<quad> left_velocities_at_start(const std::vector<quad>& q, const std::vector<quad>& v, Range at);
    void put_in_left_velocities();
    bool velocities_become_coordinates() const;
    Vec chart_rates() const;
    Expr in_chart_rates(const Expr& f) const;
    Vec velocity_names() const;
    Expr seen_from_the_body(const Expr& f) const;
    Vec body_accelerations(const Vec& of_charts);
    std::string name_in_tables(const Component& c) const;
    void read_costs(const Value& control, Range header);
    void read_chosen_parameters(const Value& control);
    std::optional<quad> read_bound(const Value& value);
    void read_bounds(const Value& control);
    void read_path(const Entry& path);
    std::vector<Expr> solved(const std::vector<Expr>& matrix, const std::vector<Expr>& rhs);
    std::optional<double> corner(const Expr& slope, const Component& input);
    void require_no_corner(const Vec& slope, const Entry& cost);
    void require_regular(const std::vector<Expr>& matrix, const Vec& inputs, const Entry& cost);
    void eliminate_inputs(const Entry& cost);
    Expr with_inputs(const Expr& f) const;
    void put_in_inputs();
    void read_definitions();
    void read_mechanics();
    void read_force(const Value& table);
    void read_general_hamiltonian();
    void read_structure(const Value& rows);
    void read_constraints();
    Vec read_constraint_list(const Value& list, const char* kind, Contents forbidden, const char* message,
                             const char* remedy);
    void read_symmetries();
    void read_sections();
    void read_observables();
    void read_view();
    std::string read_colour(const Entry& entry);
    std::string read_label(const Value& table);
    struct ShapeRange {
        std::string index; // empty: one shape
        int lo = 1, hi = 1;
        int count() const { return hi - lo + 1; }
    };
    ShapeRange read_shape_range(const Value& table);
    ViewShape read_shape(const std::string& kind, const Value& table, int every);
    ViewShape::Part read_shape_part(const Entry& entry, int width, const ViewShape& shape, const std::string& index);
    void read_boundary();
    void read_end(const Value& from, const std::string& what, std::vector<std::optional<quad>>& values, Vec& set);
    void read_end_table(const Value& from, const std::string& what, std::size_t offset,
                        std::vector<std::optional<quad>>& values, Vec& set);
    void read_end_elements(const Value& from, std::size_t offset, std::vector<std::optional<quad>>& values);
    void read_end_list(const Value& list, const std::string& what, std::vector<std::optional<quad>>& values, Vec& set);
    void read_end_numbers(const Value& list, const std::string& what, std::vector<std::optional<quad>>& values);
    void start_on_groups();
    void start_from_boundary();
    void read_initial_of_mechanics(const Value& table);
    void read_initial();
    void read_initial_variables(const Value& table);
    void read_run();
    void read_parametrization();
    void read_chart_coordinates(const Entry& list);
    Component read_chart_formula(const Value& table, const Component& coordinate);
    void read_discrete();
    void name_ends(Range header);
    void read_ends(const Value& from, const std::string& what, Vec& begin, Vec& end);

    // Pieces.
    struct Parsed {
        syntax::Tree tree;
        FormulaText from;
    };
    Parsed parse(const FormulaText& from) const;
    IndexRange range_of(const Parsed& formula, const syntax::Loop& loop);
    bool has_rows(const Parsed& formula) const; // its 'for' is over rows of a family with two indices
    bool names_row(const Parsed& formula, const std::string& index) const;
    // With one more name: the index of any member of a family.
    Tensor meaning(const Parsed& formula, const std::string& index = {}, std::optional<IndexRange> loop = {});
    Tensor meaning_of(const Parsed& formula, const std::string& index, std::optional<IndexRange> loop);
    Expr scalar(const Parsed& formula, const std::string& index = {}, std::optional<IndexRange> loop = {});
    // The formula of a value, without what is forbidden in it, and not too large.
    Expr formula(const Value& from, const char* what, Contents forbidden = {}, const char* message = "",
                 const char* remedy = "");
    quad number(const FormulaText& from);            // with parameters as numbers
    quad structural_number(const FormulaText& from); // its parameters are fixed
    quad value(const Expr& e, const Parsed& formula) const;
    void check_size(const Expr& e, int lo, int hi, const Parsed& formula);
    void unroll(const Expr& e, int lo, int hi, const Parsed& formula) const;
    template <class F> auto located(const Parsed& formula, F&& f) const -> decltype(f());
    FormulaText text_of(const Value& value, const char* what) const;
    void require_positions(const Parsed& formula, const Expr& e, const std::string& what);
    void forbid_coordinates(const Parsed& border) const;
    bool is_declared(const std::string& name) const; // in the list of coordinates

    // Keys like x, "x[3]", "x[n+1]" and "x[i]".
    struct Key {
        std::string name, index;
        bool indexed = false;
        std::size_t index_begin = 0; // in the key
    };
    Key key_of(const Entry& entry) const;
    // Families with two indices, u[1..n,1..m]; src/model/grids.cpp.
    struct GridBorder {
        std::optional<int> row, column; // nothing: every one, under this name
        std::string row_name, column_name;
        Parsed formula;
        const Entry* entry;
    };
    struct GridKey {
        std::optional<int> row, column;
        std::string row_name, column_name;
    };
    void read_grid(const Value& value, const std::string& text);
    void read_grid_border(const Entry& entry, const Key& key);
    GridKey grid_key(const Entry& entry, const Key& key);
    void add_grid_borders(const std::string& name, ModelScope::Grid& grid);
    Parsed of_rows(const Parsed& formula); // with the row of `row_`, and sums over rows written out
    std::optional<int> index_of(const Entry& entry, const Key& key); // nothing: a new name, for every index
    int whole(quad x, Range at, const std::string& what) const;
    struct Row { // the number that a name stands for: of families with two indices
        std::string name;
        int number;
    };
    struct Target {
        std::size_t place = 0;     // in q or z
        std::string index;         // of a whole family: what its index is called
        std::optional<int> member; // or which of its members
        std::optional<Row> row = {};
        int special = 0; // of entries for the same place, those for fewer members come later
    };
    void add_grid_targets(const Entry& entry, const Key& key, std::vector<std::pair<const Entry*, Target>>& all);
    Target target_of(const Entry& entry, const Vec& shape);
    template <class F> void by_coordinate(const Value& from, const Vec& shape, F&& f);
    // Of coordinates on groups, which have one entry for all of their components.
    struct GroupEntry {
        const Entry* entry;
        const GroupCoordinate* group;
        std::string index; // as of Target
        std::optional<int> member;
    };
    std::vector<GroupEntry> group_entries(const Value& table);
    const GroupCoordinate* group_of(const std::string& name) const;
    std::vector<std::string> names_in_tables(const Vec& shape) const;
    Numbers read_group_vector(const GroupEntry& entry, const char* what);
    std::vector<std::vector<quad>> read_group_numbers(const GroupEntry& entry, int count, const char* what);
    std::vector<quad> group_element(const GroupCoordinate& of, const std::vector<quad>& numbers,
                                    const FormulaText& from) const;
    void set_group_element(const GroupCoordinate& of, int member, const std::vector<quad>& numbers,
                           const FormulaText& from);
    std::vector<quad> group_override(const FormulaText& from, const std::string& name, int wanted);
    void read_group_start(const Value& q);
    void read_group_array(const Value& list, const std::string& what, std::vector<std::optional<quad>>& values);
    void read_group_rates(const Value& from, const char* what, std::vector<std::optional<quad>>& values);
    Vec read_components(const Value& from, const char* what, Contents forbidden, const char* message,
                        const char* remedy);

    Component read_coordinate_name(const Value& value);
    Component read_coordinate_name(const Value& value, const std::string& text);
    struct Definition {
        const Entry* entry;
        std::string name, index;   // index: of a definition for every index; of one with two the second
        std::vector<Parsed> parts; // of a vector or matrix: its entries
        int rows, cols;
        std::string first = {}; // of a definition with two indices
    };
    void add_indexed(Definition& definition);
    Expr of_row(const Parsed& formula, const Row& row, const std::string& column);
    void require_a_row(const Definition& d, const std::string& row, const std::string& column);
    Definition read_definition(const Entry& entry, const Key& key) const;
    void claim_column(const std::string& name, Range range);
    void require_count(const Value& list, const std::string& what, std::size_t wanted, const std::string& remedy) const;
    std::vector<quad> read_vector(const Value& value, const Vec& shape, const char* what,
                                  const std::vector<std::pair<std::string, std::string>>& overrides);
    void override_values(const LoadOptions::Pairs& overrides, const Vec& shape, const char* what,
                         std::vector<std::optional<quad>>& values);
    std::vector<quad> family_numbers(const Parsed& formula, const Target& target, const Component& family);
    void fill_from_table(const Value& table, const Vec& shape, const char* what,
                         std::vector<std::optional<quad>>& values);
    void forbid(const Expr& e, Contents what, const Parsed& formula, const std::string& message,
                const std::string& remedy = {});
    void require_printable(const std::string& text, Range range) const;
    void require_free(const std::string& name, Range range) const;
    const Value* table(const char* name) const; // at the top; nullptr if absent
    void allow_keys(const Value& table, const std::vector<std::string>& keys, const std::string& where) const;
    const std::vector<Value>& names_in(const Entry& list, const std::string& example) const; // a list that is not empty
    [[noreturn]] void fail(Range range, const std::string& message, const std::string& remedy = {}) const;
    [[noreturn]] void fail(const FormulaText& at, const std::string& message, const std::string& remedy = {}) const;

    Document document_;
    const LoadOptions& options_;
    Model model_;
    View view_; // of the model, as long as it is read
    Graph& graph_;
    ModelScope scope_;
    Vec inputs_; // of [control]: leaves
    // Of [control] with [mechanics] and velocity constraints: the velocities that they leave, leaves, and all
    // velocities as formulas of those.
    Vec left_velocities_, velocities_, all_velocities_;
    Vec body_; // of [control] with [mechanics]: velocities of coordinates on groups, seen from the body
    struct Border {
        int index;
        Expr value;
        const Entry* entry;
    };
    std::map<std::string, std::vector<Border>> borders_;             // of families, by name
    std::map<std::string, std::vector<GridBorder>> grid_borders_;    // by name
    std::map<std::string, ModelScope::Grid> grids_;                  // by name
    std::optional<Row> row_;                                         // of the formula that is read
    std::unordered_map<std::string, std::size_t> places_;            // of coordinates or variables, by name
    std::set<std::string> columns_;                                  // names that results carry
    std::map<std::string, std::vector<std::string>> parameter_uses_; // names in their values
    double unrolled_ = 0; // nodes of formulas read so far, sums and families unrolled
};

// Entries of a table by coordinate, whole families before single members, which override them.
template <class F> void Reader::by_coordinate(const Value& from, const Vec& shape, F&& f) {
    std::vector<std::pair<const Entry*, Target>> all;
    for (const Entry& e : from.entries()) {
        const Key key = key_of(e);
        if (grids_.contains(key.name))
            add_grid_targets(e, key, all);
        else if (!group_of(key.name))
            all.emplace_back(&e, target_of(e, shape));
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) {
        const auto rank = [](const Target& t) { return t.special + (t.member ? 1 : 0); };
        return rank(x.second) < rank(y.second);
    });
    std::set<std::tuple<std::size_t, std::optional<int>, int>> given;
    for (const auto& [entry, target] : all) {
        if (!given.emplace(target.place, target.member, target.special).second)
            fail(entry->key_range, "'" + std::string(entry->key) + "' is given twice", "give each value once");
        row_ = target.row;
        f(*entry, target);
        row_.reset();
    }
}

// Runs f; errors about bytes of the formula become errors about bytes of the file.
template <class F> auto Reader::located(const Parsed& formula, F&& f) const -> decltype(f()) {
    const auto point = [&](std::uint32_t begin, std::uint32_t end, const std::string& message,
                           const std::string& remedy) {
        if (!formula.from.value) throw ModelError(formula.from.origin, message, remedy);
        const bool quoted = formula.from.value->is(Value::Kind::String);
        const std::size_t offset = formula.from.part.value_or(0);
        fail(quoted ? formula.from.value->in_file(offset + begin, offset + end) : formula.from.value->range(), message,
             remedy);
    };
    try {
        return f();
    } catch (const syntax::SyntaxError& e) {
        point(e.begin, e.end, e.what(), e.remedy);
    } catch (const FormulaError& e) { point(e.begin, e.end, e.what(), e.remedy); } catch (const ExprError& e) {
        point(0, static_cast<std::uint32_t>(formula.tree.text.size()), e.what(), "");
    }
    throw std::logic_error("unreachable");
}

} // namespace rattleback::model
