// run --from FILE: a stored run, continued from its last row.
#include "common.hpp"

#include "model/copy.hpp"
#include "output/hdf5.hpp"
#include "run/columns.hpp"

namespace app {

using namespace rattleback;

Model continued(const Common& common) {
    if (!common.stored.ends_with(".h5"))
        throw BadCommand("--from " + common.stored + ": a run is continued from FILE.h5");
    if (!common.model.empty())
        throw BadCommand("--from " + common.stored + " has its model inside; leave out " + common.model);
    if (!common.q.empty() || !common.v.empty() || !common.p.empty() || !common.z.empty() || !common.lambda.empty())
        throw BadCommand("--from starts where " + common.stored + " ends: --q, --v, --p, --z and --lambda do not fit");
    if (!common.steps && !common.until) throw BadCommand("--from needs an end: --until T or --steps N");
    const StoredRun stored = read_hdf5(common.stored);
    const Record& record = stored.record;
    const auto last = [&](const char* group) {
        const Table& table = record[group];
        if (table.rows() == 0) return std::vector<double>();
        const auto row = table.row(table.rows() - 1);
        return std::vector<double>(row.begin(), row.end());
    };
    if (record["t"].rows() == 0) throw BadCommand(common.stored + " has no rows to continue from");
    const Origin& origin = stored.origin;
    Model model = model_of(origin, common.parameters()); // pivots are chosen by where it started
    const auto quads = [](const std::vector<double>& x) { return std::vector<quad>(x.begin(), x.end()); };
    model.t0 = record["t"].back();
    if (model.kind == Model::general) {
        model.z0 = quads(last("z"));
        model.z_given.assign(model.z0.begin(), model.z0.end());
    } else {
        const auto [q, centre] = from_shown(model, last("q"));
        model.q0 = quads(q), model.centre0 = quads(centre);
        const bool momenta = model.kind == Model::hamiltonian;
        model.v0 = momenta ? std::vector<quad>() : quads(last("v"));
        model.p0 = momenta ? quads(last("p")) : std::vector<quad>();
        if (model.variational && !model.velocity.empty() && !momenta) {
            model.lambda0 = quads(last("lambda"));
            model.lambda0.resize(static_cast<std::size_t>(model.velocity.count()));
        } else {
            model.lambda0.clear();
        }
    }
    model.run.method = origin.method, model.run.step = origin.step, model.run.until = {}, model.run.steps = {};
    return model;
}

} // namespace app
