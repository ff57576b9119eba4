// What a run records: named columns in groups, one row for each recorded node.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback {

// Numbers in rows. Copies share the numbers, so that a table outlives the run it came from; as<Eigen::Map<...>>() views
// them without a copy. A table of one column is also read like a vector.
class Table {
  public:
    explicit Table(std::size_t columns = 0) : columns_(columns), numbers_(std::make_shared<std::vector<double>>()) {}
    std::size_t rows() const { return columns_ ? numbers_->size() / columns_ : 0; }
    std::size_t columns() const { return columns_; }
    double operator()(std::size_t row, std::size_t column) const { return (*numbers_)[row * columns_ + column]; }
    std::span<const double> row(std::size_t i) const { return {numbers_->data() + i * columns_, columns_}; }
    std::vector<double> column(std::size_t i) const;
    template <class Map> Map as() const {
        return Map(numbers_->data(), static_cast<long>(rows()), static_cast<long>(columns_));
    }
    const double* data() const { return numbers_->data(); }

    const std::vector<double>& values() const { return *numbers_; } // row by row
    operator const std::vector<double>&() const { return *numbers_; }
    std::size_t size() const { return numbers_->size(); }
    double operator[](std::size_t i) const { return (*numbers_)[i]; }
    double front() const { return numbers_->front(); }
    double back() const { return numbers_->back(); }
    auto begin() const { return numbers_->cbegin(); }
    auto end() const { return numbers_->cend(); }
    bool operator==(const Table& other) const { return columns_ == other.columns_ && *numbers_ == *other.numbers_; }

    void append(std::span<const double> rows) { numbers_->insert(numbers_->end(), rows.begin(), rows.end()); }
    void reserve(std::size_t rows) { numbers_->reserve(rows * columns_); }

  private:
    std::size_t columns_;
    std::shared_ptr<std::vector<double>> numbers_;
};

// Columns that belong together. What writers do with a group follows from its role, so none of them knows its name.
struct ColumnGroup {
    // invariant: kept by the motion, so pages show its error; state and multiplier: summaries show them at the end;
    // observable: every column is an array of its own in HDF5.
    enum Role { time, state, multiplier, invariant, residual, observable };
    std::string name; // t, q, v, p, z, lambda, energy, constraint, momenta, observables
    Role role = state;
    std::vector<std::string> columns;    // their names
    std::vector<std::size_t> shape = {}; // of a row: {} one number, {n} n numbers
    std::size_t first = 0;               // where they begin in a row of all columns
};
// The groups of a record in their order, which is that of CSV columns.
struct Layout {
    std::vector<ColumnGroup> groups;
    std::size_t width = 0; // numbers in a row
    void add(ColumnGroup group);
    const ColumnGroup* find(std::string_view group) const; // null: there is none
};

// One node: the numbers of all groups, one after the other.
struct Row {
    std::shared_ptr<const Layout> layout;
    std::vector<double> values;
    std::vector<double> operator[](std::string_view group) const; // empty: no such group, or no values yet
};

class Record {
  public:
    explicit Record(std::shared_ptr<const Layout> layout = std::make_shared<Layout>());
    const Layout& layout() const { return *layout_; }
    const Table& operator[](std::string_view group) const;               // without columns: there is no such group
    const std::vector<std::string>& names(std::string_view group) const; // of its columns
    const Table& table(std::size_t group) const { return tables_[group]; }
    Table& table(std::size_t group) { return tables_[group]; }

    // One column: valid as long as the record is there.
    struct Column {
        std::string_view name;
        const Table* table;
        std::size_t index;
        double operator[](std::size_t row) const { return (*table)(row, index); }
    };
    std::vector<Column> columns() const;
    std::optional<Column> column(std::string_view name) const;

    void append(std::span<const double> row); // of all columns
    void reserve(std::size_t rows);           // so that so many can be appended without taking more memory

  private:
    std::shared_ptr<const Layout> layout_;
    std::vector<Table> tables_; // one for each group
};

} // namespace rattleback
