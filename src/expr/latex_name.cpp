#include "expr/latex_name.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace rattleback {
namespace {

std::string with_greek_letters(const std::string& word) {
    static constexpr std::array greek = {"alpha", "beta",   "gamma",  "delta", "epsilon", "zeta",  "eta",   "theta",
                                         "iota",  "kappa",  "lambda", "mu",    "nu",      "xi",    "pi",    "rho",
                                         "sigma", "tau",    "phi",    "chi",   "psi",     "omega", "Gamma", "Delta",
                                         "Theta", "Lambda", "Xi",     "Pi",    "Sigma",   "Phi",   "Psi",   "Omega"};
    return std::find(greek.begin(), greek.end(), word) != greek.end() ? "\\" + word : word;
}

std::string as_text(const std::string& name) {
    std::string text;
    for (const char c : name)
        text += c == '_' || c == '^' ? std::string(c == '_' ? "\\_" : "\\^{}") : std::string(1, c);
    return "\\text{" + text + "}";
}

std::string plain_name(const std::string& name) {
    std::string base = name, primes, index;
    while (!base.empty() && base.back() == '\'') base.pop_back(), primes += "\\dot ";
    if (const auto bracket = base.find('['); bracket != std::string::npos)
        index = base.substr(bracket + 1, base.size() - bracket - 2), base.resize(bracket);
    if (const auto underscore = base.find('_'); underscore != std::string::npos && underscore > 0) {
        index = with_greek_letters(base.substr(underscore + 1)) + (index.empty() ? "" : "," + index);
        base.resize(underscore);
    }
    base = with_greek_letters(base);
    if (base.size() > 1 && base[0] != '\\') base = "\\mathit{" + base + "}";
    std::string escaped;
    for (char c : index) escaped += c == '_' ? std::string("\\_") : std::string(1, c);
    return primes + base + (index.empty() ? "" : "_{" + escaped + "}");
}

// Symbols of schemes are named by a prefix and the name they belong to ("stage 2 of x"). For each prefix, how such a
// symbol is written in LaTeX: # stands for a number, @ for the name.
struct Decoration {
    std::string_view words, latex;
};
constexpr Decoration decorations[] = {
    {"stage # of ", "{@}^{(#)}"},
    {"stage #, ", "{@}^{(#)}"},
    {"impulse # by ", "\\tfrac{h}{2}{@}^{(#)}"},
    {"point #, ", "{@}^{(#)}"},
    {"node # of ", "{@}^{(#)}"},
    {"slope # of ", "k_{@}^{(#)}"},
    {"slope of ", "k_{@}"},
    {"slope before, of ", "k_{@}^{-}"},
    {"rate of ", "\\dot{@}"},
    {"acceleration of ", "\\ddot{@}"},
    {"momentum of ", "p_{@}"},
    {"next ", "{@}^{+}"},
    {"incoming ", "{@}^{-}"},
    {"end, ", "{@}^{\\mathrm{end}}"},
    {"left ", "{@}^{\\mathrm{left}}"},
    {"right ", "{@}^{\\mathrm{right}}"},
    {"last ", "{@}^{\\mathrm{last}}"},
    {"node ", "{@}^{\\mathrm{node}}"},
    {"start ", "{@}^{\\mathrm{start}}"},
    {"step ", "{@}^{\\mathrm{step}}"},
    {"shifted ", "\\tilde{@}"},
    {"kicked ", "\\hat{@}"},
    {"multiplier of ", "\\lambda_{@}"},
    {"kappa of ", "\\kappa_{@}"},
    {"rho of ", "\\rho_{@}"},
    {"mu of ", "\\mu_{@}"},
    {"eta of ", "\\eta_{@}"},
    {"shift along ", "\\sigma_{@}"},
    {"speed along ", "\\nu_{@}"},
    {"shift of ", "\\delta{@}"},
    {"increment of ", "\\Delta{@}"},
    {"correction of ", "\\epsilon_{@}"},
};

// The length of the prefix at the beginning of a name, 0 if the name does not begin with it; and the number in it.
std::size_t matched(std::string_view words, const std::string& name, std::string& number) {
    std::size_t at = 0;
    for (const char c : words) {
        const std::size_t begin = at;
        if (c == '#')
            while (at < name.size() && name[at] >= '0' && name[at] <= '9') ++at;
        else if (at < name.size() && name[at] == c)
            ++at;
        if (at == begin) return 0;
        if (c == '#') number = name.substr(begin, at - begin);
    }
    return at;
}

} // namespace

std::string latex_name(const std::string& name) {
    if (name == "step size h") return "h";
    for (const Decoration& d : decorations) {
        std::string number;
        const std::size_t length = matched(d.words, name, number);
        if (length == 0 || length == name.size()) continue;
        const std::string inner = latex_name(name.substr(length));
        std::string text;
        for (const char c : d.latex) text += c == '#' ? number : c == '@' ? inner : std::string(1, c);
        return "{" + text + "}"; // one thing, whatever power it is raised to
    }
    return name.find_first_of(" +-*/()=") != std::string::npos ? as_text(name) : plain_name(name);
}

} // namespace rattleback
