#include <rattleback/batch.hpp>

#include <algorithm>

#include "run/initial.hpp"
#include "run/stepper.hpp"

namespace rattleback {
namespace {

constexpr long long steps_at_once = 256; // in a call of machine code; with 64, Verlet in a batch takes 4 % longer

// Members side by side: the layout of code::Array, [place][lane], block after block of lanes.
struct Lanes {
    std::size_t count; // of lanes
    std::vector<double> state, low, hint, parameters, active, left, iterations, t0;

    Lanes(std::size_t lanes, std::size_t n, std::size_t m, std::size_t p)
        : count(lanes), state(n * lanes), low(n * lanes), hint(m * lanes), parameters(p * lanes), active(lanes),
          left(lanes), iterations(lanes), t0(lanes) {}
};

// Machine code advances all lanes; those that are not active get back what they had.
class Sleeping {
  public:
    explicit Sleeping(Lanes& lanes) : lanes_(lanes) {
        for (std::size_t lane = 0; lane < lanes.count; ++lane)
            if (lanes.active[lane] == 0) lanes_asleep_.push_back(lane);
        each([&](double& x) { before_.push_back(x); });
    }
    Sleeping(const Sleeping&) = delete;
    Sleeping& operator=(const Sleeping&) = delete;
    ~Sleeping() {
        std::size_t next = 0;
        each([&](double& x) { x = before_[next++]; });
    }

  private:
    template <class F> void each(F&& f) {
        for (auto* values : {&lanes_.state, &lanes_.low, &lanes_.hint})
            for (std::size_t first = 0; first < values->size(); first += lanes_.count)
                for (std::size_t lane : lanes_asleep_) f((*values)[first + lane]);
    }

    Lanes& lanes_;
    std::vector<std::size_t> lanes_asleep_;
    std::vector<double> before_;
};

void require_shape(const BatchOptions& o) {
    const int w = o.width;
    if (w != 0 && w != 1 && w != 2 && w != 4 && w != 8)
        throw BadRun("a batch has vectors of 1, 2, 4 or 8 lanes (0: its choice), not " + std::to_string(w));
    if (o.groups < 0 || o.groups > 4)
        throw BadRun("a batch has 1 to 4 vectors side by side (0: its choice), not " + std::to_string(o.groups));
}

} // namespace

struct Batch::Parts {
    Parts(const CompiledMethod& method, std::size_t members, BatchOptions options)
        : compiled(method), tape(method), reports(members), alive(members, 0), division_free(members, 0) {
        require_shape(options);
        code::Shape shape{options.width, options.groups};
        const bool is_explicit = compiled.parts().step.compiled->blocks.empty();
        if (compiled.parts().stages) shape = {1, 1}; // the lanes are stages of one member
        if (shape.width == 0) shape.width = members >= 8 ? 8 : members >= 4 ? 4 : members >= 2 ? 2 : 1;
        // One vector alone waits for its own results; where nothing is iterated, others fill the gaps.
        if (shape.groups == 0)
            shape.groups =
                is_explicit
                    ? static_cast<int>(std::clamp<std::size_t>(members / static_cast<std::size_t>(shape.width), 1, 2))
                    : 1;
        own_parameters = tape.parameters();
        why_on_tape = "as asked for";
        if (options.machine_code) {
            auto made = make_step_code(compiled, shape);
            code = made.code, why_on_tape = made.why_not;
            in_sections = made.sections != nullptr;
            tape.parts().use(made.sections); // member after member
        }
        const std::size_t lanes = code ? static_cast<std::size_t>(shape.lanes()) : 1;
        for (std::size_t i = 0; i < members; i += lanes)
            blocks.emplace_back(lanes, tape.state().size(), tape.hint().size(), own_parameters.size());
    }

    Lanes& block(std::size_t member) { return blocks[member / blocks[0].count]; }

    // One member between its lane and the stepper.
    void take(std::size_t member) {
        const Lanes& b = block(member);
        const std::size_t lane = member % b.count;
        const auto column = [&](const std::vector<double>& from) {
            std::vector<double> to(from.size() / b.count);
            for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i * b.count + lane];
            return to;
        };
        tape.set_state(column(b.state), column(b.low));
        tape.set_hint(column(b.hint));
        tape.set_parameters(column(b.parameters));
        tape.parts().t0 = b.t0[lane];
    }
    void give_back(std::size_t member) {
        Lanes& b = block(member);
        const std::size_t lane = member % b.count;
        const auto column = [&](const std::vector<double>& from, std::vector<double>& to) {
            for (std::size_t i = 0; i < from.size(); ++i) to[i * b.count + lane] = from[i];
        };
        column(tape.state(), b.state), column(tape.low(), b.low), column(tape.hint(), b.hint);
        column(tape.parameters(), b.parameters);
        b.t0[lane] = tape.t0();
        b.active[lane] = alive[member] && !tape.parts().is_division_free();
    }

    bool started(std::size_t member, bool well) {
        alive[member] = well, division_free[member] = tape.parts().is_division_free();
        give_back(member);
        return well;
    }

    void on_tape(std::size_t member, long long part, const StepTimes& times) {
        Report& report = reports[member];
        const StepTimes::Part now = times.at(part);
        take(member);
        report.step = part / times.parts() + 1, report.time = tape.t0() + now.time;
        alive[member] = tape.parts().sub_step((tape.t0() + now.time) + now.offset, now.size, times.parts() > 1, report);
        give_back(member);
    }

    void all_on_tape(std::size_t member, long long first, long long count, double h) {
        Report& report = reports[member];
        take(member);
        for (long long k = first; k < first + count && alive[member]; ++k) {
            report.step = k + 1, report.time = tape.t0() + static_cast<double>(k) * h;
            alive[member] = tape.advance(k, h, report);
        }
        give_back(member);
    }

    // A block of lanes through `count` parts of steps.
    void run(std::size_t index, long long first, long long count, const StepTimes& times) {
        Lanes& b = blocks[index];
        std::vector<double> time(static_cast<std::size_t>(std::min(count, steps_at_once))), offset(time),
            size(time.size(), times.h());
        const std::array<double*, code::array_count> arrays = {
            b.state.data(),  b.low.data(),  b.hint.data(),       b.parameters.data(), time.data(),  size.data(),
            b.active.data(), b.left.data(), b.iterations.data(), b.t0.data(),         offset.data()};
        const std::size_t from = index * b.count, to = std::min(from + b.count, reports.size());
        const auto any = [&] { return std::any_of(b.active.begin(), b.active.end(), [](double a) { return a != 0; }); };
        const auto coded = [&](long long at, long long steps) {
            times.fill(at, steps, time.data(), offset.data(), size.data());
            std::fill(b.iterations.begin(), b.iterations.end(), 0.0);
            const Sleeping others(b);
            const long long ran = code->run(arrays, steps);
            for (std::size_t member = from; member < to; ++member) {
                if (b.active[member - from] == 0) continue;
                reports[member].newton_iterations += static_cast<long long>(b.iterations[member - from]);
                reports[member].newton_solves += code->newton_blocks * ran;
            }
            return ran;
        };
        long long at_once = steps_at_once;
        for (long long done = 0; done < count && any();) {
            const long long now = std::min(at_once, count - done), ran = coded(first + done, now);
            done += ran;
            at_once = ran == now ? std::min(steps_at_once, 2 * at_once) : at_once;
            if (ran == now) continue;
            if (code->all_or_nothing && now > 1) { // which of them is in trouble is not known yet
                at_once = now / 4 + 1;
                continue;
            }
            // This step on the tape for those that left, in machine code for the others.
            std::vector<std::size_t> left;
            for (std::size_t member = from; member < to; ++member)
                if (double& active = b.active[member - from]; active != 0 && b.left[member - from] != 0)
                    left.push_back(member), active = 0;
            if (any() && coded(first + done, 1) == 0)
                for (std::size_t member = from; member < to; ++member)
                    if (b.active[member - from] != 0) left.push_back(member);
            for (std::size_t member : left) on_tape(member, first + done, times);
            ++done;
        }
    }

    CompiledMethod compiled;
    Stepper<double> tape;
    std::vector<Report> reports;
    std::vector<char> alive;
    std::vector<char> division_free; // this member's step, which machine code is not made for
    std::vector<double> own_parameters;
    std::shared_ptr<const StepCode> code;
    bool in_sections = false;
    std::string why_on_tape;
    std::vector<Lanes> blocks;
};

Batch::Batch(const CompiledMethod& method, std::size_t members, BatchOptions options)
    : parts_(std::make_unique<Parts>(method, members, options)) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

std::size_t Batch::members() const { return parts_->reports.size(); }
int Batch::lanes() const { return parts_->code ? parts_->code->shape.lanes() : parts_->in_sections; }
const std::string& Batch::why_on_tape() const { return parts_->why_on_tape; }
const Report& Batch::report(std::size_t member) const { return parts_->reports[member]; }

bool Batch::start(std::size_t member, const InitialData<double>& data, double t0,
                  const std::vector<double>& parameters) {
    Parts& b = *parts_;
    require_sizes(b.compiled.model(), data);
    const std::vector<double>& values = parameters.empty() ? b.own_parameters : parameters;
    b.tape.set_parameters(values);
    Report& report = b.reports[member] = {};
    InitialData<double> whole = data;
    bool complete = true;
    if (b.compiled.model().kind == Model::general) { // components that it leaves out are computed for every member
        Model moved = b.compiled.model();
        moved.t0 = t0;
        moved.z0.assign(data.z.begin(), data.z.end());
        for (std::size_t i = 0; i < values.size(); ++i) moved.parameters[i].value = values[i];
        complete = complete_initial_data(moved, whole, report);
    }
    return b.started(member, complete && b.tape.start(whole, t0, report));
}

bool Batch::start(std::size_t member) {
    Parts& b = *parts_;
    b.tape.set_parameters(b.own_parameters);
    b.reports[member] = {};
    return b.started(member, b.tape.start(b.reports[member]));
}

void Batch::advance(long long first, long long count, double h) {
    Parts& b = *parts_;
    if (!b.code) {
        for (std::size_t i = 0; i < members(); ++i) b.all_on_tape(i, first, count, h);
        return;
    }
    const StepTimes times(b.compiled.method(), h);
    for (std::size_t i = 0; i < b.blocks.size(); ++i) b.run(i, first * times.parts(), count * times.parts(), times);
    for (std::size_t i = 0; i < members(); ++i)
        if (b.division_free[i]) b.all_on_tape(i, first, count, h);
}

std::vector<double> Batch::state(std::size_t member) const {
    const Lanes& b = parts_->block(member);
    std::vector<double> state(b.state.size() / b.count);
    for (std::size_t i = 0; i < state.size(); ++i) state[i] = b.state[i * b.count + member % b.count];
    return state;
}

} // namespace rattleback
