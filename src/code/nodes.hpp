// Writes what nodes show as a listing. Nodes do not depend on each other: the lanes are consecutive nodes of one run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "code/listing.hpp"
#include "solve/fields.hpp"
#include "solve/system.hpp"

namespace rattleback::code {

// A system that is solved at every node after the node's own, from what that shows.
struct BesideLayout {
    // What it is given: place `place` of a field of the node's results, or of its parameters; the time; or a number.
    struct Given {
        enum From { field, parameter, time, zero } from = zero;
        std::size_t place = 0;
        std::string name = {}; // of the field
    };
    std::shared_ptr<const CompiledSystem> system;
    std::vector<Given> given;
    bool reads_time() const;
};

// What is shown of a node: a row of the array `rows`. Column 0: Newton iterations of the steps so far, which the steps
// fill in; then the largest magnitude of each field in `largest`; then all other results of the system but those in
// `hidden`; then the results of the system beside it.
struct NodeLayout {
    const NamedSystem* system = nullptr; // with the inputs of the step
    std::vector<Fields::Field> largest = {};
    std::vector<Fields::Field> hidden = {};
    const BesideLayout* beside = nullptr;
    bool is_column(std::size_t result) const;
    // The inputs among the state and the hint that the system reads: the columns of the array `carried`.
    std::vector<std::size_t> carried() const;
};

// Whether anything in the system reads this input.
bool reads(const CompiledSystem& system, std::size_t input);

// Given are the arrays `carried` and `ends`, and on each lane the same `parameters` and, as `sizes`, step size. A pass
// is as many nodes as there are lanes; if one of them is in trouble, `left` says which, and nothing is shown of any.
Listing write_nodes(const NodeLayout& layout, const Shape& shape);

} // namespace rattleback::code
