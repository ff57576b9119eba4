// `completion` and `manual`: what shells and man know of the verbs, made from the verbs themselves.
#include "common.hpp"

#include <cstdio>
#include <memory>

namespace app {
namespace {

std::vector<std::string> split(const std::string& names) {
    std::vector<std::string> all;
    for (std::size_t from = 0; from < names.size();) {
        const std::size_t comma = std::min(names.find(',', from), names.size());
        all.push_back(names.substr(from, comma - from));
        from = comma + 1;
    }
    return all;
}

bool is_flag(const Option& o) { return std::holds_alternative<bool*>(o.target); }
bool has_place(const Option& o) { return o.names[0] != '-'; } // known by its place

std::string verb_names(const std::vector<Verb>& verbs) {
    std::string all;
    for (const Verb& v : verbs) all += (all.empty() ? "" : " ") + v.name;
    return all;
}

std::string option_names(const Verb& verb) {
    std::string all = "--help";
    for (const Option& o : verb.options)
        if (!has_place(o))
            for (const std::string& name : split(o.names)) all += " " + name;
    return all;
}

std::string model_names() {
    std::string all;
    for (const rattleback::GalleryItem& item : rattleback::gallery()) all += (all.empty() ? "" : " ") + item.name;
    return all;
}

std::string method_names() {
    std::string all;
    for (const rattleback::Scheme* s : rattleback::all_schemes()) all += (all.empty() ? "" : " ") + s->id;
    return all;
}

// In single quotes of a shell.
std::string quoted(const std::string& text) {
    std::string all = "'";
    for (char c : text) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return all + "'";
}

std::string for_bash(const std::vector<Verb>& verbs) {
    std::string text = "# bash completion of rattleback: rattleback completion bash > "
                       "~/.local/share/bash-completion/completions/rattleback\n"
                       "_rattleback() {\n    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                       "    COMPREPLY=()\n"
                       "    if (( COMP_CWORD == 1 )); then\n        COMPREPLY=($(compgen -W " +
                       quoted(verb_names(verbs) + " --help --version") +
                       " -- \"$word\"))\n        return\n    fi\n"
                       "    if [[ $before == -m || $before == --method ]]; then\n        COMPREPLY=($(compgen -W " +
                       quoted(method_names()) +
                       " -- \"$word\"))\n        return\n    fi\n    if [[ $word == -* ]]; then\n"
                       "        case ${COMP_WORDS[1]} in\n";
    for (const Verb& v : verbs)
        text += "        " + v.name + ") COMPREPLY=($(compgen -W " + quoted(option_names(v)) + " -- \"$word\")) ;;\n";
    text += "        esac\n        return\n    fi\n    COMPREPLY=($(compgen -f -- \"$word\"))\n"
            "    case ${COMP_WORDS[1]} in\n    methods|cite) COMPREPLY=($(compgen -W " +
            quoted(method_names()) + " -- \"$word\")) ;;\n    *) COMPREPLY+=($(compgen -W " + quoted(model_names()) +
            " -- \"$word\")) ;;\n    esac\n}\ncomplete -o filenames -F _rattleback rattleback\n";
    return text;
}

// Of zsh: brackets and colons mean something in its specifications.
std::string zsh_help(const std::string& help) {
    std::string all;
    for (char c : help) all += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
    return all;
}

std::string for_zsh(const std::vector<Verb>& verbs) {
    std::string text =
        "#compdef rattleback\n# rattleback completion zsh > ~/.zfunc/_rattleback, with ~/.zfunc in fpath\n"
        "local -a verbs models methods\nverbs=(\n";
    for (const Verb& v : verbs) text += "    " + quoted(v.name + ":" + zsh_help(v.help)) + "\n";
    text +=
        ")\nmodels=(" + model_names() + ")\nmethods=(" + method_names() +
        ")\nif (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\nfi\nlocal verb=$words[2]\nshift words\n"
        "(( CURRENT-- ))\ncase $verb in\n";
    for (const Verb& v : verbs) {
        text += v.name + ") _arguments \\\n";
        for (const Option& o : v.options) {
            if (has_place(o)) continue;
            const bool method = o.names.find("--method") != std::string::npos;
            for (const std::string& name : split(o.names))
                text += "    " +
                        quoted(name + "[" + zsh_help(o.help) + "]" +
                               (is_flag(o) ? ""
                                : method   ? ":method:($methods)"
                                           : ":value:_files")) +
                        " \\\n";
        }
        const bool of_methods = v.name == "methods" || v.name == "cite";
        text += of_methods ? "    \"*:method:($methods)\" ;;\n" : "    \"*:model:{ compadd -a models; _files }\" ;;\n";
    }
    return text + "esac\n";
}

std::string for_fish(const std::vector<Verb>& verbs) {
    std::string text = "# rattleback completion fish > ~/.config/fish/completions/rattleback.fish\n"
                       "complete -c rattleback -n __fish_use_subcommand -f\n";
    for (const Verb& v : verbs) {
        text += "complete -c rattleback -n __fish_use_subcommand -f -a " + v.name + " -d " + quoted(v.help) + "\n";
        const std::string seen = " -n '__fish_seen_subcommand_from " + v.name + "'";
        for (const Option& o : v.options) {
            if (has_place(o)) continue;
            text += "complete -c rattleback" + seen;
            for (const std::string& name : split(o.names))
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!is_flag(o)) text += " -r";
            if (o.names.find("--method") != std::string::npos) text += " -f -a " + quoted(method_names());
            text += " -d " + quoted(o.help) + "\n";
        }
        const bool of_methods = v.name == "methods" || v.name == "cite";
        text += "complete -c rattleback" + seen + " -a " + quoted(of_methods ? method_names() : model_names()) + "\n";
    }
    return text;
}

// Of roff: a dot that begins a line and a backslash mean something, and a dash is a hyphen without one.
std::string roff(const std::string& text) {
    std::string all;
    for (char c : text) all += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    return (all.starts_with('.') || all.starts_with('\'') ? "\\&" : "") + all;
}

std::string manual(const std::vector<Verb>& verbs) {
    std::string text = ".TH RATTLEBACK 1 \"\" \"rattleback " RATTLEBACK_VERSION "\" \"User Commands\"\n.SH NAME\n"
                       "rattleback \\- mechanical systems, simulated so that what the physics preserves, the numbers "
                       "preserve\n.SH SYNOPSIS\n.B rattleback\n.I VERB\n[\\fIMODEL\\fR] [\\fIOPTION\\fR]...\n"
                       ".SH DESCRIPTION\nA model is a file in TOML with formulas in quotes, or a name of the gallery. "
                       "\\fBrattleback new\\fR writes one to begin with.\n.SH VERBS\n";
    for (const Verb& v : verbs) {
        text += ".SS " + v.name + "\n" + roff(v.help) + "\n";
        for (const Option& o : v.options) {
            std::string names;
            for (const std::string& name : split(o.names))
                names += (names.empty() ? "" : ", ") + ("\\fB" + roff(name) + "\\fR");
            text += ".TP\n" + names + (is_flag(o) || has_place(o) ? "" : " \\fIVALUE\\fR") + "\n" + roff(o.help) + "\n";
        }
    }
    return text +
           ".SH ENVIRONMENT\n.TP\n\\fBRATTLEBACK_CACHE\\fR\nthe folder of compiled steps; empty: none is kept\n"
           ".TP\n\\fBCOLUMNS\\fR\nhow wide lines may be; on a terminal its width, in a pipe any\n.SH EXIT STATUS\n"
           "0 done; 1 the computation failed, or a claim does; 2 a bad model or command line; 3 interrupted\n";
}

} // namespace

Verb make_completion(const std::vector<Verb>& verbs) {
    auto shell = std::make_shared<std::string>();
    return {"completion",
            "a script that completes commands: bash, zsh or fish",
            {{"shell", shell.get(), "bash, zsh or fish", true}},
            [shell, verbs] {
                if (*shell != "bash" && *shell != "zsh" && *shell != "fish")
                    throw BadCommand("completion " + *shell + ": choose bash, zsh or fish");
                const std::string text = *shell == "bash"  ? for_bash(verbs)
                                         : *shell == "zsh" ? for_zsh(verbs)
                                                           : for_fish(verbs);
                std::fputs(text.c_str(), stdout);
                return static_cast<int>(done);
            }};
}

Verb make_manual(const std::vector<Verb>& verbs) {
    return {"manual", "the manual page: rattleback manual | man -l -", {}, [verbs] {
                std::fputs(manual(verbs).c_str(), stdout);
                return static_cast<int>(done);
            }};
}

} // namespace app
