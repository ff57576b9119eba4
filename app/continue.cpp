// run --from FILE: a stored run, continued from its last row.
#include "common.hpp"

#include "model/copy.hpp"
#include "output/hdf5.hpp"
#include "output/plain_name.hpp"
#include "output/report.hpp"
#include "output/sidecar.hpp"
#include "run/columns.hpp"

namespace app {

using namespace rattleback;

namespace {

// What a result tells of its last row: by group where it has groups, else by the names of columns.
struct Stored {
    std::string file;
    Record record;
    Origin origin;
    bool has_groups = true;

    std::vector<double> last(const char* group, const std::vector<std::string>& names) const {
        std::vector<double> row;
        if (has_groups) {
            const Table& table = record[group];
            if (table.rows() == 0) return row;
            const auto values = table.row(table.rows() - 1);
            return {values.begin(), values.end()};
        }
        for (const std::string& name : names) row.push_back(last(name));
        return row;
    }

  private:
    double last(const std::string& name) const {
        for (std::size_t g = 0; g < record.layout().groups.size(); ++g) {
            const std::vector<std::string>& columns = record.layout().groups[g].columns;
            for (std::size_t i = 0; i < columns.size(); ++i)
                if (columns[i] == name || columns[i] == plain_name(name))
                    return record.table(g).row(record.table(g).rows() - 1)[i];
        }
        throw BadCommand(file + " has no column '" + name +
                         "': a run is continued from a file with all columns, written without --columns");
    }
};

Stored read_stored(const std::string& file) {
    if (file.ends_with(".h5")) {
        StoredRun stored = read_hdf5(file);
        return {file, std::move(stored.record), std::move(stored.origin)};
    }
    if (!file.ends_with(".csv")) throw BadCommand("--from " + file + ": a run is continued from FILE.h5 or FILE.csv");
    StoredRows rows = read_rows(file);
    Sidecar beside = read_sidecar(file);
    if (!beside.found)
        throw BadCommand("--from " + file + ": " + beside.why_not +
                         "\n  'rattleback run MODEL -o FILE.csv' writes it beside FILE.csv, unless --plain is given");
    return {file, std::move(rows.record), std::move(beside.origin), false};
}

std::vector<std::string> multiplier_names(const Model& model) {
    std::vector<std::string> names;
    for (int i = 1; i <= model.velocity.count(); ++i) names.push_back("lambda_" + std::to_string(i));
    return names;
}

} // namespace

Model continued(const Common& common) {
    if (!common.model.empty())
        throw BadCommand("--from " + common.stored + " has its model inside; leave out " + common.model);
    if (!common.q.empty() || !common.v.empty() || !common.p.empty() || !common.z.empty() || !common.lambda.empty())
        throw BadCommand("--from starts where " + common.stored + " ends: --q, --v, --p, --z and --lambda do not fit");
    if (!common.steps && !common.until) throw BadCommand("--from needs an end: --until T or --steps N");
    const Stored stored = read_stored(common.stored);
    if (stored.record["t"].rows() == 0) throw BadCommand(common.stored + " has no rows to continue from");
    const Origin& origin = stored.origin;
    Model model = model_of(origin, common.parameters()); // pivots are chosen by where it started
    const auto quads = [](const std::vector<double>& x) { return std::vector<quad>(x.begin(), x.end()); };
    model.t0 = stored.record["t"].back();
    if (model.kind == Model::general) {
        model.z0 = quads(stored.last("z", expanded_names(model.z)));
        model.z_given.assign(model.z0.begin(), model.z0.end());
    } else {
        const auto [q, centre] = from_shown(model, stored.last("q", expanded_names(shown_positions(model))));
        model.q0 = quads(q), model.centre0 = quads(centre);
        const bool momenta = model.kind == Model::hamiltonian;
        model.v0 = momenta ? std::vector<quad>() : quads(stored.last("v", expanded_names(model.v)));
        model.p0 = momenta ? quads(stored.last("p", expanded_names(model.p))) : std::vector<quad>();
        if (model.variational && !model.velocity.empty() && !momenta) {
            model.lambda0 = quads(stored.last("lambda", multiplier_names(model)));
            model.lambda0.resize(static_cast<std::size_t>(model.velocity.count()));
        } else {
            model.lambda0.clear();
        }
    }
    model.run.method = origin.method, model.run.step = origin.step, model.run.until = {}, model.run.steps = {};
    return model;
}

} // namespace app
