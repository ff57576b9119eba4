// `solve --wavefront`: geodesics from one point.
#pragma once

#include "common.hpp"

namespace app {

struct WavefrontCommand {
    bool asked = false, spheres = false; // spheres: only points that are still shortest
    std::optional<long long> directions;
    std::vector<std::string> fan; // p_z=-8:8:25
    std::string angles;
};
int wavefront_verb(const Common& common, const WavefrontCommand& command);

// The rows of a run: CSV, or HDF5 by its name; nothing where no file is asked for.
void write_path(const Common& common, const rattleback::Run& run);

} // namespace app
