// Prints formulas as text that parses to the same formula, and as LaTeX. With an explicit stack: nothing recurses.
#include "expr/graph.hpp"

#include <array>
#include <optional>

#include "expr/latex_name.hpp"

namespace rattleback {
namespace {

// Precedence, loosest first. An argument is bracketed if its own precedence is below that of its place.
enum Level { lowest = 0, disjunction, conjunction, comparison, additive, multiplicative, prefix, exponent, atom };

// An operator between its arguments: in text and in LaTeX (empty: LaTeX writes it another way), its own precedence and
// those of its places; of the right one in LaTeX, too, where a + (b + c) needs no brackets.
struct Infix {
    Op op;
    std::string_view text, latex;
    Level level, left, right, right_in_latex;
};
constexpr Infix infixes[] = {
    {Op::either, " or ", " \\vee ", disjunction, disjunction, conjunction, conjunction},
    {Op::both, " and ", " \\wedge ", conjunction, conjunction, comparison, comparison},
    {Op::lt, " < ", " < ", comparison, additive, additive, additive},
    {Op::le, " <= ", " \\le ", comparison, additive, additive, additive},
    {Op::gt, " > ", " > ", comparison, additive, additive, additive},
    {Op::ge, " >= ", " \\ge ", comparison, additive, additive, additive},
    {Op::eq, " == ", " = ", comparison, additive, additive, additive},
    {Op::ne, " != ", " \\ne ", comparison, additive, additive, additive},
    {Op::add, " + ", " + ", additive, additive, multiplicative, additive},
    {Op::sub, " - ", " - ", additive, additive, multiplicative, multiplicative},
    {Op::mul, "*", " \\, ", multiplicative, multiplicative, prefix, multiplicative},
    {Op::div, "/", "", multiplicative, multiplicative, prefix, prefix},
    {Op::power, "^", "", exponent, atom, exponent, exponent},
};

const Infix* infix_of(Op op, bool latex) {
    for (const Infix& i : infixes)
        if (i.op == op) return latex && i.latex.empty() ? nullptr : &i;
    return nullptr;
}

// p/q of small whole numbers, where that is the number to the last digits of quad; q > 1.
std::optional<std::pair<int, int>> as_fraction(quad value) {
    const quad size = real::abs(value);
    if (!(size < 1000) || size == 0) return {};
    for (int q = 2; q <= 360; ++q) {
        const quad p = real::floor(size * q + static_cast<quad>(0.5));
        if (p == 0 || real::abs(size * q - p) > 8 * Real<quad>::epsilon * p) continue;
        const std::string decimals = real::to_text(value);
        if (decimals.size() <= 6 + (value < 0 ? 1u : 0u) && decimals.find('e') == std::string::npos) return {}; // 0.25
        return std::pair(static_cast<int>(p), q);
    }
    return {};
}

Level level_of(const Graph& g, NodeId id, bool latex) {
    const Node& n = g.node(id);
    if (n.op == Op::constant) {
        if (latex && as_fraction(g.value(id))) return g.value(id) < 0 ? prefix : exponent;
        if (latex && real::to_text(g.value(id)).find('e') != std::string::npos) return multiplicative; // 2 \cdot 10^{9}
        return g.value(id) < 0 ? prefix : atom;
    }
    if (latex && n.op == Op::sum) return additive;
    if (latex && n.op == Op::div) return exponent;
    if (n.op == Op::neg) return prefix;
    if (n.op == Op::power) return exponent;
    if (const Infix* infix = infix_of(n.op, latex)) return infix->level;
    return atom;
}

class Printer {
  public:
    Printer(const Graph& graph, bool latex, std::size_t limit) : g_(graph), latex_(latex), limit_(limit) {}

    std::string operator()(NodeId root) {
        push(root);
        while (!stack_.empty()) {
            if (limit_ && out_.size() > limit_) {
                out_.resize(limit_);
                return out_ + "...";
            }
            Item item = std::move(stack_.back());
            stack_.pop_back();
            if (item.id)
                write(item.id);
            else
                out_ += item.text;
        }
        return out_;
    }

  private:
    struct Item {
        NodeId id;
        std::string text;
    };
    // The stack is last-in first-out: parts are pushed in reverse.
    void push(NodeId id) { stack_.push_back({id, {}}); }
    void push(std::string text) { stack_.push_back({0, std::move(text)}); }
    void push_bracketed(NodeId id, Level at_least) {
        const bool bracket = level_of(g_, id, latex_) < at_least;
        if (bracket) push(std::string(latex_ ? "\\right)" : ")"));
        push(id);
        if (bracket) push(std::string(latex_ ? "\\left(" : "("));
    }

    void write(NodeId id) {
        const Node& n = g_.node(id);
        switch (n.op) {
        case Op::constant:
            if (const auto f = latex_ ? as_fraction(g_.value(id)) : std::nullopt)
                out_ += (g_.value(id) < 0 ? "-\\frac{" : "\\frac{") + std::to_string(f->first) + "}{" +
                        std::to_string(f->second) + "}";
            else
                out_ += number(g_.value(id));
            return;
        case Op::symbol: out_ += latex_ ? latex_name(g_.name(id)) : g_.name(id); return;
        case Op::index: out_ += latex_ ? latex_index(n.a) : index_name(n.a); return;
        case Op::element: write_element(g_.family(n.a).name, n.b); return;
        case Op::sum: write_sum(n); return;
        case Op::solve:
            out_ += latex_ ? "w^{(" + std::to_string(n.a) + ")}_{" + std::to_string(n.b + 1) + "}"
                           : "solve" + std::to_string(n.a) + "[" + std::to_string(n.b + 1) + "]";
            return;
        case Op::neg:
            push_bracketed(n.a, first_factor(n.a).op == Op::sub ? prefix : multiplicative); // -((a - b)*c)
            out_ += "-";
            return;
        default: write_function(n);
        }
    }

    void write_element(const std::string& family, NodeId index) {
        const std::size_t star = family.find('*'); // a row u[3,*] of a family with two indices
        if (star == std::string::npos) {
            push(std::string(latex_ ? "}" : "]"));
            push(index);
            push(latex_ ? "{" + latex_name(family) + "}_{" : family + "[");
            return;
        }
        const std::size_t bracket = family.find('[');
        push(latex_ ? std::string("}") : family.substr(star + 1));
        push(index);
        const std::string name = family.substr(0, bracket) + family.substr(star + 2); // u' of u[3,*]'
        push(latex_ ? "{" + latex_name(name) + "}_{" + family.substr(bracket + 1, star - bracket - 1)
                    : family.substr(0, star));
    }

    const Node& first_factor(NodeId id) const {
        while (!latex_ && (g_.node(id).op == Op::mul || g_.node(id).op == Op::div)) id = g_.node(id).a;
        return g_.node(id);
    }

    void write_sum(const Node& n) {
        const std::uint32_t index = g_.node(n.d).a;
        push(std::string(latex_ ? "\\right)" : ")"));
        push(n.c);
        push(std::string(latex_ ? "} \\left(" : ": "));
        push(n.b);
        push(std::string(latex_ ? "}^{" : ".."));
        push(n.a);
        push(latex_ ? "\\sum_{" + latex_index(index) + "=" : "sum(" + index_name(index) + " in ");
    }

    void write_function(const Node& n) {
        if (n.op == Op::add && g_.node(n.b).op == Op::constant && g_.value(n.b) < 0) { // x[k - 1], not x[k + -1]
            push(number(-g_.value(n.b)));
            push(std::string(" - "));
            push_bracketed(n.a, additive);
            return;
        }
        if (const Infix* infix = infix_of(n.op, latex_)) {
            push_bracketed(n.b, latex_ ? infix->right_in_latex : infix->right);
            push(std::string(latex_ ? infix->latex : infix->text));
            push_bracketed(n.a, infix->left);
            return;
        }
        const Function& f = function(n.op);
        const std::array<NodeId, 3> args = {n.a, n.b, n.c};
        if (!latex_) {
            push(std::string(")"));
            for (int i = f.arity; i-- > 0;) {
                push(args[static_cast<std::size_t>(i)]);
                if (i > 0) push(std::string(", "));
            }
            push(std::string(f.name) + "(");
            return;
        }
        std::vector<Item> parts;
        std::string text;
        for (std::size_t i = 0; i < f.latex.size(); ++i) {
            if (f.latex[i] != '%') {
                text += f.latex[i];
                continue;
            }
            parts.push_back({0, text});
            parts.push_back({args[static_cast<std::size_t>(f.latex[++i] - '1')], {}});
            text.clear();
        }
        parts.push_back({0, text});
        for (std::size_t i = parts.size(); i-- > 0;) {
            if (parts[i].id)
                push_bracketed(parts[i].id,
                               (n.op == Op::power && parts[i].id == n.a) || n.op == Op::hypot ? atom : lowest);
            else if (!parts[i].text.empty())
                push(parts[i].text);
        }
    }

    std::string number(quad value) const {
        std::string text = real::to_text(value);
        if (!latex_) return text;
        if (const auto e = text.find('e'); e != std::string::npos)
            text = text.substr(0, e) + " \\cdot 10^{" + std::to_string(std::stoi(text.substr(e + 1))) + "}";
        return text;
    }
    static std::string index_name(std::uint32_t level) {
        return level == 0 ? "k" : level == 1 ? "m" : "i" + std::to_string(level - 1);
    }

    static std::string latex_index(std::uint32_t level) {
        return level < 2 ? index_name(level) : "i_{" + std::to_string(level - 1) + "}";
    }

    const Graph& g_;
    bool latex_;
    std::size_t limit_;
    std::string out_;
    std::vector<Item> stack_;
};

} // namespace

std::string to_text(const Expr& f, std::size_t max_length) {
    return f.graph() ? Printer(*f.graph(), false, max_length)(f.id()) : real::to_text(*f.constant());
}

std::string to_latex(const Expr& f) {
    return f.graph() ? Printer(*f.graph(), true, 0)(f.id()) : real::to_text(*f.constant());
}

} // namespace rattleback
