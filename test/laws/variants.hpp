// Every scheme of the registry with the options that are swept. A new scheme is swept with its defaults without anybody
// listing it here.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <rattleback/scheme.hpp>

namespace rattleback::laws {

// Files for rk:tableau=FILE, in a folder of this process that goes with it. Order, symplecticity and symmetry are what
// the laws find, not what is written here.
inline std::string tableau_file(const std::string& name, const std::string& text) {
    static const struct Folder {
        std::filesystem::path path =
            std::filesystem::temp_directory_path() / ("rattleback_laws." + std::to_string(::getpid()));
        Folder() { std::filesystem::create_directories(path); }
        ~Folder() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    } folder;
    const std::string file = (folder.path / (name + ".toml")).string();
    std::ofstream(file) << text;
    return "rk:tableau=" + file;
}

struct Variant {
    std::string text; // as on the command line
    std::string name; // for the test's name
    friend void PrintTo(const Variant& v, std::ostream* out) { *out << v.text; }
};

inline std::vector<Variant> variants_of(const Scheme& scheme) {
    std::vector<Variant> v;
    if (scheme.id == "gauss")
        for (int s = 1; s <= 6; ++s) v.push_back({"gauss:stages=" + std::to_string(s), "gauss" + std::to_string(s)});
    if (scheme.id == "del") {
        v = {{"del", "del"},
             {"del:ld=alpha:alpha=1/4", "del_alpha"},
             {"del:ld=sym_alpha:alpha=1/4", "del_sym_alpha"},
             {"del:ld=verlet", "del_verlet"}};
        for (int s = 1; s <= 4; ++s)
            v.push_back({"del:ld=galerkin:stages=" + std::to_string(s), "del_galerkin" + std::to_string(s)});
    }
    if (scheme.id == "compose")
        for (int order : {4, 6, 8})
            for (const char* base : {"midpoint", "del:ld=verlet"})
                v.push_back({"compose:order=" + std::to_string(order) + ":base=" + base,
                             "compose" + std::to_string(order) + (base[0] == 'm' ? "_midpoint" : "_verlet")});
    if (scheme.id == "compose") {
        v.push_back({"compose:order=4:base=nh_rattle", "compose4_nh_rattle"});
        v.push_back({"compose:order=4:base=gni", "compose4_gni"});
        v.push_back({"compose:order=6:base=rattle", "compose6_rattle"});
        v.push_back({"compose:order=4:base=rattle_midpoint", "compose4_rattle_midpoint"});
    }
    if (scheme.id == "gf" || scheme.id == "gf_proj") {
        v = {{scheme.id, scheme.id}, {scheme.id + ":alpha=1/4", scheme.id + "_quarter"}};
        if (scheme.id == "gf") v.push_back({"gf:ld=galerkin:stages=2", "gf_galerkin2"});
        if (scheme.id == "gf") v.push_back({"gf:ld=galerkin:stages=3", "gf_galerkin3"});
    }
    if (scheme.id == "gf_geometric")
        v = {{"gf_geometric", "gf_geometric"}, {"gf_geometric:alpha=1/4", "gf_geometric_quarter"}};
    if (scheme.id == "type2")
        v = {{"type2", "type2"},
             {"type2:quadrature=right", "type2_right"},
             {"type2:quadrature=midpoint", "type2_midpoint"},
             {"type2:quadrature=trapezoid", "type2_trapezoid"},
             {"type2:quadrature=alpha:alpha=1/4", "type2_quarter"}};
    if (scheme.id == "symplectic_euler")
        v = {{"symplectic_euler", "symplectic_euler"}, {"symplectic_euler:first=q", "symplectic_euler_q"}};
    if (scheme.id == "baumgarte") v = {{"baumgarte:alpha=1:beta=1", "baumgarte"}};
    if (scheme.id == "gf_sym") v = {{"gf_sym", "gf_sym"}, {"gf_sym:alpha=1/4", "gf_sym_quarter"}};
    if (scheme.id.starts_with("lie_"))
        v = {{scheme.id, scheme.id},
             {scheme.id + ":ld=log", scheme.id + "_log"},
             {scheme.id + ":ld=cay", scheme.id + "_cay"}};
    if (scheme.id == "gni") v = {{"gni", "gni"}, {"gni:ld=verlet", "gni_verlet"}, {"gni:start=plain", "gni_plain"}};
    if (scheme.id == "dla") v = {{"dla", "dla"}, {"dla:ld=verlet", "dla_verlet"}};
    if (scheme.id == "nh_gauss")
        for (int s = 1; s <= 4; ++s)
            v.push_back({"nh_gauss:stages=" + std::to_string(s), "nh_gauss" + std::to_string(s)});
    if (scheme.id == "lobatto")
        for (int s = 2; s <= 5; ++s)
            v.push_back({"lobatto:stages=" + std::to_string(s), "lobatto" + std::to_string(s)});
    for (const char* id : {"dirac", "dirac_weak", "underlying"})
        if (scheme.id == id)
            for (int s = 1; s <= 3; ++s)
                v.push_back({scheme.id + ":stages=" + std::to_string(s), scheme.id + std::to_string(s)});
    if (scheme.id == "dirac") v.push_back({"dirac:alpha=-1/2", "dirac_alpha"});
    if (scheme.id == "dirac_weak") v.push_back({"dirac_weak:alpha=-1", "dirac_weak_alpha"});
    if (scheme.id == "state_space")
        v = {{"state_space", "state_space"},
             {"state_space:A=fixed", "state_space_fixed"},
             {"state_space:form=plain", "state_space_plain"}};
    if (scheme.id == "underlying") v.push_back({"underlying:project=yes", "underlying_projected"});
    if (scheme.id == "dvak")
        v = {{"dvak", "dvak"}, {"dvak:ld=verlet", "dvak_verlet"}, {"dvak:ld=alpha:alpha=1/4", "dvak_quarter"}};
    if (scheme.id == "partitioned")
        v = {{"partitioned", "partitioned2"},
             {"partitioned:stages=3", "partitioned3"},
             {"partitioned:stages=4", "partitioned4"},
             {"partitioned:multipliers=gauss", "partitioned2_gauss"}};
    if (scheme.id == "rk") {
        v.push_back({tableau_file("dirk", "A = [[\"1/8\", 0], [\"1/4\", \"3/8\"]]\nb = [\"1/4\", \"3/4\"]\n"),
                     "rk_symplectic_dirk"});
        v.push_back({tableau_file("triple", // three midpoint steps: symplectic and symmetric, order 4
                                  "A = [[\"1/(4 - 2*2^(1/3))\", 0, 0],\n"
                                  "     [\"1/(2 - 2^(1/3))\", \"1/2 - 1/(2 - 2^(1/3))\", 0],\n"
                                  "     [\"1/(2 - 2^(1/3))\", \"1 - 2/(2 - 2^(1/3))\", \"1/(4 - 2*2^(1/3))\"]]\n"
                                  "b = [\"1/(2 - 2^(1/3))\", \"1 - 2/(2 - 2^(1/3))\", \"1/(2 - 2^(1/3))\"]\n"),
                     "rk_triple_jump"});
        v.push_back({tableau_file("radau", "A = [[\"5/12\", \"-1/12\"], [\"3/4\", \"1/4\"]]\nb = [\"3/4\", \"1/4\"]\n"),
                     "rk_radau2a"});
        v.push_back({tableau_file("lobatto3a", "A = [[0, 0, 0], [\"5/24\", \"1/3\", \"-1/24\"],\n"
                                               "     [\"1/6\", \"2/3\", \"1/6\"]]\nb = [\"1/6\", \"2/3\", \"1/6\"]\n"),
                     "rk_lobatto3a"});
        v.push_back({tableau_file("lobatto3c", "A = [[0.5, -0.5], [0.5, 0.5]]\nb = [0.5, 0.5]\n"), "rk_lobatto3c"});
    }
    if (v.empty()) v.push_back({scheme.id, scheme.id});
    return v;
}

} // namespace rattleback::laws
