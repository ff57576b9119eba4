#include "output/sidecar.hpp"

#include <algorithm>
#include <cstdint>
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

// By which they are known to belong together: the end of a CSV file, its last row with it. What grows is read once more
// alone, in no time, whatever its length.
std::string end_of(const std::string& csv) {
    constexpr std::streamoff most = 65536;
    std::ifstream from(csv, std::ios::binary);
    from.seekg(0, std::ios::end);
    const std::streamoff size = from.tellg();
    from.seekg(std::max<std::streamoff>(0, size - most));
    std::uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    for (auto* bytes = from.rdbuf(); bytes->sgetc() != std::streambuf::traits_type::eof(); bytes->snextc())
        hash = (hash ^ static_cast<unsigned char>(bytes->sgetc())) * 0x100000001b3;
    std::ostringstream text;
    text << std::hex << hash;
    return text.str();
}

} // namespace

std::string sidecar_of(const std::string& csv) { return csv + ".json"; }

void write_sidecar(const std::string& csv, const Run& run) {
    const Origin& o = run.origin;
    Json j;
    std::error_code error;
    const auto bytes = std::filesystem::file_size(csv, error);
    j.add("beside", std::filesystem::path(csv).filename().string()).add("bytes", static_cast<long long>(bytes));
    j.add("end", end_of(csv));
    j.add("model", o.model).add("reference", o.reference);
    j.add("method", o.method).add("step", o.step).add("command", o.command).add("version", o.version);
    j.add("parameters", parameters_json(o)).add("start", start_json(o));
    j.add("model_file", o.model_file).add("model_text", o.model_text).add("summary", Json::read(summary_json(run)));
    OutputFile(sidecar_of(csv)).write_whole(j.text() + "\n");
}

Sidecar read_sidecar(const std::string& csv) {
    const std::string file = sidecar_of(csv);
    std::error_code error;
    Sidecar s;
    s.why_not = file + ", which has its model, is not there";
    if (!std::filesystem::is_regular_file(file, error)) return s;
    if (std::filesystem::file_size(file, error) > largest || error)
        throw BadRun(file + " is not what run wrote beside " + csv + ": it has more than 64 MiB");
    std::ifstream from(file, std::ios::binary);
    std::ostringstream text;
    text << from.rdbuf();
    try {
        const Json j = Json::read(text.str());
        s.why_not = file + " belongs to another file of that name: it is left aside";
        if (j["bytes"].number() != static_cast<double>(std::filesystem::file_size(csv, error))) return s;
        if (j["end"].string() != end_of(csv)) return s;
        s.why_not.clear(), s.found = true;
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
