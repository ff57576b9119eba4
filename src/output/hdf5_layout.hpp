// Which dataset of an HDF5 file holds which columns, and the attribute `layout` that says so.
#pragma once

#include "output/json.hpp"
#include "output/report.hpp"

namespace rattleback {

struct StoredDataset {
    std::string path;
    std::size_t first, width; // of a row of all columns
    const ColumnGroup* group;
    bool whole; // of the group; otherwise one column of it
};
std::vector<StoredDataset> datasets_of(const Layout& layout);

std::string layout_text(const Layout& layout);
Layout read_layout(const Json& from); // throws BadJson

// Attributes that are texts of the origin.
inline constexpr std::pair<const char*, std::string Origin::*> origin_texts[] = {
    {"model", &Origin::model},           {"reference", &Origin::reference}, {"model_file", &Origin::model_file},
    {"model_text", &Origin::model_text}, {"method", &Origin::method},       {"command", &Origin::command},
    {"version", &Origin::version}};

} // namespace rattleback
