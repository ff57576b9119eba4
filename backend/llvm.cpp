// The LLVM back end: a listing becomes an object file in memory. With orc.cpp a shared object of its own, loaded on
// first use, so that neither the library nor its users link LLVM; no other source sees LLVM's headers. Any LLVM from 16
// on: what its versions call differently has one name below.
#include <atomic>
#include <new>

#include <execinfo.h>

#include "orc.hpp"
#include "translation.hpp"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>

namespace rattleback::code {
namespace {

#if LLVM_VERSION_MAJOR >= 18
constexpr auto no_effort = llvm::CodeGenOptLevel::None, little_effort = llvm::CodeGenOptLevel::Less;
constexpr auto object_file = llvm::CodeGenFileType::ObjectFile;
#else
constexpr auto no_effort = llvm::CodeGenOpt::None, little_effort = llvm::CodeGenOpt::Less;
constexpr auto object_file = llvm::CGFT_ObjectFile;
#endif
#if LLVM_VERSION_MAJOR >= 21
llvm::Triple host_triple() { return llvm::Triple(llvm::sys::getProcessTriple()); }
#else
std::string host_triple() { return llvm::sys::getProcessTriple(); }
#endif

llvm::StringMap<bool> host_features() {
#if LLVM_VERSION_MAJOR >= 19
    return llvm::sys::getHostCPUFeatures();
#else
    llvm::StringMap<bool> all;
    llvm::sys::getHostCPUFeatures(all);
    return all;
#endif
}

std::string features() {
    std::string text;
    for (const auto& feature : host_features())
        text += (text.empty() ? "" : ",") + std::string(feature.getValue() ? "+" : "-") + feature.getKey().str();
    return text;
}

// How long to think about a listing. Those that are cut into parts are straight lines of arithmetic that go through
// memory, where better instructions and registers gain a tenth and take six times as long: 17,000 operations 0.5 s
// instead of 0.1. Of a whole step they make two or three of what would be six: it is worth 25 us a line.
struct Effort {
    bool quick, fast_selection;
    Effort(const Listing& listing, bool asked) {
        const std::size_t lines = listing.lines.size();
        const bool in_parts = std::any_of(listing.lines.begin(), listing.lines.end(),
                                          [](const Line& line) { return line.what == Do::begin_part; });
        quick = asked || lines > (in_parts ? 4000 : 12000);
        fast_selection = lines > (in_parts ? 3000 : 12000);
    }
};

std::atomic<bool> exhausted = false; // memory ended inside LLVM, or it found itself in a state it did not expect

// Instead of ending the program: see LlvmBackend::compile.
void throw_instead() {
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { throw std::bad_alloc(); });
    llvm::install_fatal_error_handler([](void*, const char* why, bool) {
        exhausted = true;
        throw rattleback::Error(why);
    });
    // An exception that passes through pthread_once, which LLVM uses, makes the C library load its unwinder. That has
    // to come before memory ends, or the program is aborted.
    void* here = nullptr;
    backtrace(&here, 1);
}

std::unique_ptr<llvm::TargetMachine> host_machine(const Effort& effort) {
    static const bool ready = [] {
        throw_instead();
        return !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
    }();
    if (!ready) throw rattleback::Error("LLVM does not know this machine");
    const auto triple = host_triple();
    std::string error;
    const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target) throw rattleback::Error(error);
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // fused operations are written where they are wanted
    std::unique_ptr<llvm::TargetMachine> machine(
        target->createTargetMachine(triple, llvm::sys::getHostCPUName(), features(), options, llvm::Reloc::PIC_,
                                    llvm::CodeModel::Small, effort.quick ? no_effort : little_effort));
    if (effort.fast_selection) machine->setFastISel(true);
    return machine;
}

// All that LLVM works on for one listing.
class Compilation {
  public:
    Compilation(const Listing& listing, const Shape& shape, bool quick)
        : alike_(has_alike(listing, shape)), machine_(host_machine(Effort(listing, quick))),
          module_(translate(context_, listing, shape)), builder_(machine_.get()) {}

    std::string run() {
        module_->setDataLayout(machine_->createDataLayout());
        module_->setTargetTriple(host_triple());
        optimise();
        if (machine_->addPassesToEmitFile(emission_, out_, nullptr, object_file))
            throw rattleback::Error("no object files for this machine");
        emission_.run(*module_);
        return {object_.begin(), object_.end()};
    }

  private:
    // Equal lines have become one already, in the graph: what is left is to put variables into registers and to take
    // what no step changes out of the loops. Stronger pipelines take half as long again and make nothing faster.
    void optimise() {
        builder_.registerModuleAnalyses(modules_);
        builder_.registerCGSCCAnalyses(graphs_);
        builder_.registerFunctionAnalyses(functions_);
        builder_.registerLoopAnalyses(loops_);
        builder_.crossRegisterProxies(loops_, functions_, graphs_, modules_);
        passes_.addPass(llvm::PromotePass());
        passes_.addPass(llvm::EarlyCSEPass());
        passes_.addPass(
            llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
        passes_.addPass(llvm::EarlyCSEPass());
        if (alike_) passes_.addPass(llvm::SLPVectorizerPass());
        for (llvm::Function& f : *module_)
            if (!f.isDeclaration()) passes_.run(f, functions_);
    }

    // Explicit steps with many lines on one lane have like operations side by side, of the members of a family: as
    // vectors, with the same bits, FPUT of 32 masses takes 0.87 of the time. Short ones wait for their own results: 1.3
    // times; and sines, which choose between numbers, are too few: 1.5 times (rolling_disk).
    static bool has_alike(const Listing& listing, const Shape& shape) {
        constexpr std::ptrdiff_t many = 500;
        const auto count = [&](Do what) {
            return std::count_if(listing.lines.begin(), listing.lines.end(),
                                 [what](const Line& line) { return line.what == what; });
        };
        return shape.lanes() == 1 && std::ssize(listing.lines) >= many && count(Do::begin_steps) > 0 &&
               count(Do::begin_loop) == 0 && count(Do::select) <= 1; // that one says whether a call failed
    }

    bool alike_;
    llvm::LLVMContext context_;
    std::unique_ptr<llvm::TargetMachine> machine_;
    std::unique_ptr<llvm::Module> module_;
    llvm::SmallVector<char, 0> object_;
    llvm::raw_svector_ostream out_{object_};
    llvm::legacy::PassManager emission_;
    llvm::LoopAnalysisManager loops_;
    llvm::FunctionAnalysisManager functions_;
    llvm::CGSCCAnalysisManager graphs_;
    llvm::ModuleAnalysisManager modules_;
    llvm::PassBuilder builder_;
    llvm::FunctionPassManager passes_;
};

class LlvmBackend final : public Backend {
  public:
    bool fuses() const override { // where it is not part of every processor of the kind
        const llvm::Triple triple(llvm::sys::getProcessTriple());
        return !triple.isX86() || host_features().lookup("fma");
    }
    // NOTE: LLVM is built without exceptions. One that passes through it runs none of its destructors: locks stay
    // taken, and what it worked on may be in any state. So that is left where it is, and LLVM is not asked again.
    std::string compile(const Listing& listing, const Shape& shape, bool quick) const override {
        if (exhausted) throw std::bad_alloc();
        try {
            auto* const work = new Compilation(listing, shape, quick);
            std::string object = work->run();
            delete work;
            return object;
        } catch (const std::bad_alloc&) {
            exhausted = true;
            throw;
        }
    }
    std::unique_ptr<const Loaded> load(std::string_view object) const override { return load_by_orc(object); }
};

} // namespace
} // namespace rattleback::code

extern "C" [[gnu::visibility("default")]] const rattleback::code::Backend* rattleback_backend(const char* version) {
    static const rattleback::code::LlvmBackend backend;
    return std::string_view(version) == rattleback::code::interface_version ? &backend : nullptr;
}
