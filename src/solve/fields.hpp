// What a system of equations is given and what it returns, by name.
#pragma once

#include "solve/system.hpp"

#include <algorithm>
#include <stdexcept>

namespace rattleback {

// Named vectors side by side, as one long vector.
class Fields {
  public:
    struct Field {
        std::string name;
        std::size_t offset = 0, size = 0; // in scalars: a family counts as its members
        std::size_t end() const { return offset + size; }
    };
    Fields() = default;
    Fields(std::initializer_list<std::pair<std::string, Vec>> fields) {
        for (const auto& [name, values] : fields) add(name, values);
    }
    void add(const std::string& name, const Vec& values) {
        fields_.push_back({name, size(), static_cast<std::size_t>(values.count())});
        values_ = concat({values_, values});
    }
    // All fields of another list, with other formulas of the same sizes.
    void add(const Fields& like, const Vec& values) {
        for (Field f : like.fields_) fields_.push_back({f.name, size(), f.size});
        values_ = concat({values_, values});
    }
    // Some of the fields, without their formulas.
    Fields chosen(const std::vector<std::string_view>& names) const {
        Fields some;
        for (const Field& f : fields_)
            if (std::find(names.begin(), names.end(), f.name) != names.end())
                some.fields_.push_back({f.name, some.size(), f.size});
        return some;
    }
    const std::vector<Field>& fields() const { return fields_; }
    const Vec& values() const { return values_; } // all of them
    std::size_t size() const { return fields_.empty() ? 0 : fields_.back().end(); }
    bool has(std::string_view name) const {
        return std::any_of(fields_.begin(), fields_.end(), [&](const Field& f) { return f.name == name; });
    }
    const Field& operator[](std::string_view name) const {
        for (const Field& f : fields_)
            if (f.name == name) return f;
        throw std::logic_error("there is no field '" + std::string(name) + "'");
    }

  private:
    std::vector<Field> fields_;
    Vec values_;
};

// A compiled system whose inputs and results have names.
struct NamedSystem {
    Fields given, results;
    std::shared_ptr<const CompiledSystem> compiled;
};

} // namespace rattleback
