#include "code/c99.hpp"

#include <cstdio>
#include <string_view>

#include "expr/graph.hpp"

namespace rattleback::code {
namespace {

// A row that machine code computes by a call has a name in C.
#define RATTLEBACK_FUNCTION(id, arity, name, value, derivatives, latex, domain, lowering, c_name)                      \
    static_assert(std::string_view(c_name).empty() != RATTLEBACK_IN_C_##lowering,                                      \
                  "functions.def: library and own rows have a C name, and only they");
#define RATTLEBACK_IN_C_lines(...) false
#define RATTLEBACK_IN_C_in_range(...) false
#define RATTLEBACK_IN_C_library true
#define RATTLEBACK_IN_C_own true
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION

class Writer {
  public:
    explicit Writer(const Listing& listing) : listing_(listing), used_(listing.lines.size(), false) { find_used(); }

    std::string run(const std::string& name) {
        text_ = "static int " + name + "(double* const* arrays)\n{\n";
        for (std::uint32_t i = 0; i < listing_.lines.size();
             ++i) // declared first: goto must not jump over a declaration
            if (used_[i] && is_variable(i))
                put((listing_.lines[i].what == Do::mask_variable ? "int " : "double ") + w(i) + " = 0;");
        for (std::uint32_t i = 0; i < listing_.lines.size(); ++i)
            if (used_[i]) line(i, listing_.lines[i]);
        return text_ + "    return left;\n}\n";
    }

  private:
    void put(const std::string& words) { text_.append(static_cast<std::size_t>(4 * depth_), ' ') += words + "\n"; }
    bool is_variable(std::uint32_t i) const {
        return listing_.lines[i].what == Do::number_variable || listing_.lines[i].what == Do::mask_variable;
    }

    // Dead code elimination: marks the lines that memory or control flow depends on. Assignments to variables that are
    // never read are dropped.
    void find_used() {
        std::vector<std::uint32_t> stack;
        std::vector<std::vector<std::uint32_t>> set_by(used_.size());
        const auto use = [&](std::uint32_t i) {
            if (!used_[i]) used_[i] = true, stack.push_back(i);
        };
        for (std::uint32_t i = 0; i < used_.size(); ++i) {
            const Line& l = listing_.lines[i];
            if (l.what == Do::set) set_by[l.a].push_back(i);
            if (l.what == Do::store || l.what >= Do::begin_steps) use(i);
        }
        while (!stack.empty()) {
            const std::uint32_t i = stack.back();
            stack.pop_back();
            if (is_variable(i)) {
                for (std::uint32_t s : set_by[i]) use(s);
                continue;
            }
            for_operands(listing_.lines[i], use);
        }
    }
    template <class F> static void for_operands(const Line& l, F&& f) {
        switch (l.what) {
        case Do::number:
        case Do::bits:
        case Do::nothing:
        case Do::load:
        case Do::load_shared:
        case Do::load_step:
        case Do::begin_steps:
        case Do::begin_loop:
        case Do::end_steps:
        case Do::end_loop:
        case Do::end_if:
        case Do::begin_part:
        case Do::end_part:
        case Do::number_variable:
        case Do::mask_variable: return;
        case Do::call:
            f(l.b);
            if (l.c != none) f(l.c);
            return;
        case Do::store: return f(l.c);
        case Do::fused:
        case Do::select: f(l.a), f(l.b); return f(l.c);
        case Do::negate:
        case Do::magnitude:
        case Do::root:
        case Do::invert:
        case Do::bits_of:
        case Do::number_of:
        case Do::shift_left:
        case Do::shift_right:
        case Do::get:
        case Do::stop_if:
        case Do::leave_unless:
        case Do::begin_if: return f(l.a);
        default: f(l.a); return f(l.b);
        }
    }

    // A value by its name, a constant as it is.
    std::string v(std::uint32_t i) const {
        const Line& l = listing_.lines[i];
        if (l.what == Do::number) return number(l.a);
        if (l.what == Do::bits) return bits(l.a);
        if (l.what == Do::nothing) return "0";
        return "v" + std::to_string(i);
    }
    static std::string w(std::uint32_t line) { return "w" + std::to_string(line); }
    static std::string place(std::uint32_t array, const std::string& index) {
        return "arrays[" + std::to_string(array) + "][" + index + "]";
    }
    std::string number(std::uint32_t i) const {
        const double x = std::bit_cast<double>(listing_.constants[i]);
        if (x != x) return "NAN";
        char digits[40];
        std::snprintf(digits, sizeof digits, "%a", x);
        return digits[0] == '-' ? "(" + std::string(digits) + ")" : digits;
    }
    std::string bits(std::uint32_t i) const { return "UINT64_C(" + std::to_string(listing_.constants[i]) + ")"; }

    // The expression of a line that has a value; its type goes in front.
    std::string value(const Line& l, const char*& type) const {
        const auto between = [&](const char* symbol) { return v(l.a) + " " + symbol + " " + v(l.b); };
        const auto call = [&](const std::string& f) { return f + "(" + v(l.a) + ")"; };
        type = "double";
        switch (l.what) {
        case Do::add: return between("+");
        case Do::subtract: return between("-");
        case Do::multiply: return between("*");
        case Do::divide: return between("/");
        case Do::fused: return "fma(" + v(l.a) + ", " + v(l.b) + ", " + v(l.c) + ")";
        case Do::negate: return "-" + v(l.a);
        case Do::magnitude: return call("fabs");
        case Do::root: return call("sqrt");
        case Do::select: return v(l.a) + " ? " + v(l.b) + " : " + v(l.c);
        case Do::call:
            return std::string(function(static_cast<Op>(l.a)).c_name) + ("(" + v(l.b)) +
                   (l.c == none ? "" : ", " + v(l.c)) + ")";
        case Do::number_of: return call("number_of");
        case Do::load: return place(l.a, std::to_string(l.b));
        case Do::load_shared: return place(l.a, "0");
        case Do::get: type = listing_.lines[l.a].what == Do::mask_variable ? "int" : "double"; return w(l.a);
        default: break;
        }
        type = "int";
        switch (l.what) {
        case Do::less: return between("<");
        case Do::less_equal: return between("<=");
        case Do::equal:
        case Do::bits_equal: return between("==");
        case Do::differs: return between("!=");
        case Do::both: return between("&");
        case Do::either: return between("|");
        case Do::invert: return "!" + v(l.a);
        default: break;
        }
        type = "uint64_t";
        switch (l.what) {
        case Do::bits_of: return call("bits_of");
        case Do::bits_add: return between("+");
        case Do::bits_subtract: return between("-");
        case Do::bits_and: return between("&");
        case Do::bits_or: return between("|");
        case Do::bits_xor: return between("^");
        case Do::shift_left: return v(l.a) + " << " + std::to_string(l.b);
        case Do::shift_right: return v(l.a) + " >> " + std::to_string(l.b);
        default: return {};
        }
    }

    void open(const std::string& words) { put(words), ++depth_; }
    void close() { --depth_, put("}"); }

    void line(std::uint32_t i, const Line& l) {
        switch (l.what) {
        case Do::number:
        case Do::bits:
        case Do::nothing:
        case Do::number_variable:
        case Do::mask_variable: return;
        case Do::set: return put(w(l.a) + " = " + v(l.b) + ";");
        case Do::store: return put(place(l.a, std::to_string(l.b)) + " = " + v(l.c) + ";");
        case Do::begin_steps: put("int left = 1;"); return open("{");
        case Do::stop_if: return put("if (" + v(l.a) + ") goto stop;");
        case Do::end_steps: put("left = 0;"), close(); return text_.append("stop:\n"), put(";");
        case Do::begin_part: return open("{");
        case Do::begin_loop: return open("for (;;) {");
        case Do::leave_unless: return put("if (!" + v(l.a) + ") break;");
        case Do::begin_if: return open("if (" + v(l.a) + ") {");
        case Do::end_loop:
        case Do::end_part:
        case Do::end_if: return close();
        default: break;
        }
        const char* type = nullptr;
        const std::string words = value(l, type);
        put("const " + std::string(type) + " v" + std::to_string(i) + " = " + words + ";");
    }

    const Listing& listing_;
    std::vector<bool> used_; // by line
    std::string text_;
    int depth_ = 1;
};

} // namespace

std::string c99_function(const Listing& listing, const std::string& name) { return Writer(listing).run(name); }

std::string c99_preamble(const std::string& functions) {
    const bool own = functions.find("rattleback_") != std::string::npos;
    return R"(#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double number_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
)" + (own ? "\n" + c99_own_functions() : "");
}

} // namespace rattleback::code
