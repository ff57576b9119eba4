// NOTE: LLVM has a loader of its own (backend/orc.cpp), which is used on other machines. This one is here because
// cached code must not cost the time that loading LLVM takes (10 ms and more against 0.1 ms), and because our objects
// need next to nothing: a few sections that point at each other.
#include "code/object.hpp"

#if RATTLEBACK_LOADS_OBJECTS

#include <cstring>
#include <vector>

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace rattleback::code {
namespace {

[[noreturn]] void refuse(const char* why) { throw Error(std::string("not a usable object: ") + why); }

// Reads with bounds: an object from a cache may be anything.
class Object {
  public:
    explicit Object(std::string_view bytes) : bytes_(bytes) {
        header_ = read<Elf64_Ehdr>(0);
        if (std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 || header_.e_ident[EI_CLASS] != ELFCLASS64 ||
            header_.e_type != ET_REL || header_.e_machine != EM_X86_64)
            refuse("another format or machine");
        for (std::size_t i = 0; i < header_.e_shnum; ++i)
            sections_.push_back(read<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr)));
    }
    template <class T> T read(std::size_t at) const {
        T value;
        std::memcpy(&value, part(at, sizeof(T)).data(), sizeof(T));
        return value;
    }
    std::string_view part(std::size_t at, std::size_t size) const {
        if (at > bytes_.size() || size > bytes_.size() - at) refuse("cut off");
        return bytes_.substr(at, size);
    }
    const std::vector<Elf64_Shdr>& sections() const { return sections_; }
    const Elf64_Shdr& section(std::size_t i) const {
        if (i >= sections_.size()) refuse("no such section");
        return sections_[i];
    }
    std::string_view name(std::size_t table, std::size_t at) const {
        const Elf64_Shdr& names = section(table);
        const std::string_view all = part(names.sh_offset, names.sh_size);
        if (at >= all.size()) refuse("no such name");
        return all.substr(at, all.find('\0', at) - at);
    }

  private:
    std::string_view bytes_;
    Elf64_Ehdr header_{};
    std::vector<Elf64_Shdr> sections_;
};

constexpr std::size_t absent = ~std::size_t(0);

// Where each section that is needed at run time goes; the total is the last.
std::vector<std::size_t> layout(const Object& object) {
    std::vector<std::size_t> places;
    std::size_t size = 0;
    for (const Elf64_Shdr& s : object.sections()) {
        const bool needed = (s.sh_flags & SHF_ALLOC) != 0 && s.sh_type == SHT_PROGBITS && s.sh_size > 0;
        if ((s.sh_flags & SHF_WRITE) != 0 && s.sh_size > 0) refuse("it has data of its own");
        if (!needed) {
            places.push_back(absent);
            continue;
        }
        if (s.sh_addralign > 4096 || s.sh_size > (std::size_t(1) << 30)) refuse("sizes without sense");
        const std::size_t align = std::max<std::size_t>(s.sh_addralign, 1);
        size = (size + align - 1) / align * align;
        places.push_back(size);
        size += s.sh_size;
    }
    places.push_back(size);
    return places;
}

void relocate(const Object& object, const Elf64_Shdr& list, const std::vector<std::size_t>& places, char* memory) {
    const Elf64_Shdr& target = object.section(list.sh_info);
    const std::size_t to = places[list.sh_info];
    if (to == absent) return; // of debugging or unwinding tables
    const Elf64_Shdr& symbols = object.section(list.sh_link);
    for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= list.sh_size; at += sizeof(Elf64_Rela)) {
        const auto r = object.read<Elf64_Rela>(list.sh_offset + at);
        const auto symbol = object.read<Elf64_Sym>(symbols.sh_offset + ELF64_R_SYM(r.r_info) * sizeof(Elf64_Sym));
        if (symbol.st_shndx >= object.sections().size() || places[symbol.st_shndx] == absent)
            refuse("it asks for something from outside");
        const auto type = ELF64_R_TYPE(r.r_info);
        if (type != R_X86_64_PC32 && type != R_X86_64_PLT32) refuse("an unknown kind of reference");
        if (r.r_offset > target.sh_size || target.sh_size - r.r_offset < 4) refuse("a reference outside its section");
        const auto distance = static_cast<std::int64_t>(places[symbol.st_shndx] + symbol.st_value) + r.r_addend -
                              static_cast<std::int64_t>(to + r.r_offset);
        const auto word = static_cast<std::int32_t>(distance);
        if (word != distance) refuse("a reference too far away");
        std::memcpy(memory + to + r.r_offset, &word, 4);
    }
}

std::size_t find_step(const Object& object, const std::vector<std::size_t>& places) {
    for (const Elf64_Shdr& s : object.sections()) {
        if (s.sh_type != SHT_SYMTAB) continue;
        for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= s.sh_size; at += sizeof(Elf64_Sym)) {
            const auto symbol = object.read<Elf64_Sym>(s.sh_offset + at);
            if (symbol.st_shndx >= object.sections().size() || places[symbol.st_shndx] == absent) continue;
            if (object.name(s.sh_link, symbol.st_name) == "step" &&
                symbol.st_value < object.section(symbol.st_shndx).sh_size)
                return places[symbol.st_shndx] + symbol.st_value;
        }
    }
    refuse("it has no step");
}

// The pages are written first and executable afterwards, never both.
class Pages final : public Loaded {
  public:
    explicit Pages(std::size_t size) {
        const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        size_ = (size + page - 1) / page * page;
        pages_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages_ == MAP_FAILED) throw Error("no memory for machine code");
    }
    ~Pages() override { munmap(pages_, size_); }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    char* memory() const { return static_cast<char*>(pages_); }
    void make_executable(std::size_t step) {
        if (mprotect(pages_, size_, PROT_READ | PROT_EXEC) != 0) throw Error("the system does not allow machine code");
        entry = reinterpret_cast<Entry>(memory() + step);
    }

  private:
    void* pages_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace

std::unique_ptr<const Loaded> load_object(std::string_view bytes) {
    const Object object(bytes);
    const std::vector<std::size_t> places = layout(object);
    const std::size_t step = find_step(object, places);
    auto pages = std::make_unique<Pages>(places.back());
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
        const Elf64_Shdr& s = object.section(i);
        if (places[i] != absent)
            std::memcpy(pages->memory() + places[i], object.part(s.sh_offset, s.sh_size).data(), s.sh_size);
    }
    for (const Elf64_Shdr& s : object.sections()) {
        if (s.sh_type == SHT_RELA) relocate(object, s, places, pages->memory());
        if (s.sh_type == SHT_REL) refuse("an unknown kind of reference");
    }
    pages->make_executable(step);
    return pages;
}

} // namespace rattleback::code

#endif
