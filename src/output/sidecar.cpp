#include "output/sidecar.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "output/json.hpp"
#include "output/output_file.hpp"
#include "output/summary.hpp"
#include <rattleback/output.hpp>

namespace rattleback {
namespace {

constexpr std::uintmax_t largest = std::uintmax_t(64) << 20; // models of 100,000 sites have starts of 4 MB

} // namespace

std::string sidecar_of(const std::string& csv) { return csv + ".json"; }

void write_sidecar(const std::string& csv, const Run& run) {
    const Origin& o = run.origin;
    Json j;
    std::error_code error;
    const auto bytes = std::filesystem::file_size(csv, error); // by which they are known to belong together
    j.add("beside", std::filesystem::path(csv).filename().string()).add("bytes", static_cast<long long>(bytes));
    j.add("model", o.model).add("reference", o.reference);
    j.add("method", o.method).add("step", o.step).add("command", o.command).add("version", o.version);
    j.add("parameters", parameters_json(o)).add("start", start_json(o));
    j.add("model_file", o.model_file).add("model_text", o.model_text).add("summary", Json::read(summary_json(run)));
    OutputFile(sidecar_of(csv)).write_whole(j.text() + "\n");
}

std::optional<Sidecar> read_sidecar(const std::string& csv) {
    const std::string file = sidecar_of(csv);
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) return {};
    if (std::filesystem::file_size(file, error) > largest || error)
        throw BadRun(file + " is not what run wrote beside " + csv + ": it has more than 64 MiB");
    std::ifstream from(file, std::ios::binary);
    std::ostringstream text;
    text << from.rdbuf();
    try {
        const Json j = Json::read(text.str());
        if (j["bytes"].number() != static_cast<double>(std::filesystem::file_size(csv, error))) return {};
        Sidecar s;
        s.origin.model = j["model"].string(), s.origin.reference = j["reference"].string();
        s.origin.method = j["method"].string(), s.origin.step = j["step"].number();
        s.origin.command = j["command"].string(), s.origin.version = j["version"].string();
        s.origin.model_file = j["model_file"].string(), s.origin.model_text = j["model_text"].string();
        read_parameters(j["parameters"], s.origin), read_start(j["start"], s.origin);
        s.summary = j["summary"].text();
        return s;
    } catch (const BadJson& e) { throw BadRun(file + " is not what run wrote beside " + csv + ": " + e.what()); }
}

} // namespace rattleback
