// Any bytes are a formula of x, y, z and values for them: machine code leaves it to the tape, or has the tape's bits.
// In every full test run: -runs=2000
#include "solve/system.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "code/backend.hpp"
#include "code/cache.hpp"
#include "code/engine.hpp"
#include "code/step.hpp"

using namespace rattleback;

namespace {

// Reads bytes; after the last one, zeros.
class Bytes {
  public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
    unsigned next() { return at_ < size_ ? data_[at_++] : 0; }
    bool empty() const { return at_ >= size_; }

  private:
    const std::uint8_t* data_;
    std::size_t size_, at_ = 0;
};

// A stack machine: a byte pushes a leaf or applies a row of the function table to what is there.
std::vector<Expr> formulas(Graph& g, Bytes& bytes) {
    std::vector<Expr> stack{g.symbol("x"), g.symbol("y"), g.symbol("z")};
    const std::span<const Function> rows = functions();
    for (int n = 0; n < 60 && !bytes.empty(); ++n) {
        const unsigned b = bytes.next();
        if (b < 40) {
            stack.push_back(b < 30 ? stack[b % stack.size()] : g.constant(static_cast<int>(b) - 35));
            continue;
        }
        const Function& f = rows[b % rows.size()];
        std::vector<Expr> arguments(stack.end() - f.arity, stack.end());
        try {
            stack.push_back(call(f.op, arguments));
        } catch (const ExprError&) {}
    }
    for (Expr& e : stack)
        if (!e.graph()) e = g.constant(*e.constant());
    return {stack.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(stack.size(), 4)), stack.end()};
}

bool same_bits(double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); }

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (!code::backend()) return 0;
    Bytes bytes(data, size);
    constexpr code::Shape shapes[] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {2, 2}};
    const code::Shape shape = shapes[bytes.next() % std::size(shapes)];
    const auto lanes = static_cast<std::size_t>(shape.lanes());
    std::vector<double> given(3 * lanes);
    for (double& x : given)
        x = std::ldexp(static_cast<double>(bytes.next()) - 128, static_cast<int>(bytes.next() % 64) - 40);
    const auto graph = std::make_shared<Graph>();
    Vec symbols, results;
    for (const char* name : {"x", "y", "z"}) symbols.push_back({name, graph->symbol(name)});
    for (const Expr& f : formulas(*graph, bytes)) results.push_back({"", f});
    const auto system = compile(System{graph, symbols, {}, {}, results});
    const auto compiled =
        code::compile(code::write_solve(*system, shape), shape, bytes.next() % 2 == 0, code::Cache(""));
    if (!compiled.native) std::abort();
    double none = 0;
    std::vector<double> out(system->results.size() * lanes), active(lanes, 1), left(lanes), iterations(lanes);
    double* const arrays[code::array_count] = {
        given.data(), out.data(), &none, &none, &none, &none, active.data(), left.data(), iterations.data()};
    compiled.native->entry()(arrays, 1, code::function_table());
    SystemSolver<double> tape(system);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (left[lane] != 0) continue;
        for (std::size_t i = 0; i < 3; ++i) tape.given()[i] = given[i * lanes + lane];
        Report report;
        if (!tape.solve(report)) std::abort();
        for (std::size_t i = 0; i < system->results.size(); ++i)
            if (!same_bits(tape.result(i), out[i * lanes + lane])) std::abort();
    }
    return 0;
}
