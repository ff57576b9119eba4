// LLVM's own loader: ORC, with JITLink for the object. It knows every machine that LLVM makes code for.
#include "orc.hpp"

#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>

#if LLVM_VERSION_MAJOR >= 21
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>
#endif

namespace rattleback::code {
namespace {

#if LLVM_VERSION_MAJOR >= 17
Entry entry_of(const llvm::orc::ExecutorSymbolDef& step) { return step.getAddress().toPtr<Entry>(); }
#else
Entry entry_of(const llvm::JITEvaluatedSymbol& step) {
    return llvm::jitTargetAddressToFunction<Entry>(step.getAddress());
}
#endif

#ifdef __APPLE__
constexpr const char* step_symbol = "_step";
#else
constexpr const char* step_symbol = "step";
#endif

template <class T> T value_of(llvm::Expected<T> expected) {
    if (!expected) throw rattleback::Error("not a usable object: " + llvm::toString(expected.takeError()));
    return std::move(*expected);
}

// A session for each object, in which nothing else is known: an object that asks for something from outside is refused.
class OrcLoaded final : public Loaded {
  public:
    explicit OrcLoaded(std::string_view object)
        : session_(value_of(llvm::orc::SelfExecutorProcessControl::Create())), layer_(session_) {
        session_.setErrorReporter([](llvm::Error e) { llvm::consumeError(std::move(e)); }); // they come by lookup too
        try {
            llvm::orc::JITDylib& library = session_.createBareJITDylib("step");
            auto bytes = llvm::MemoryBuffer::getMemBufferCopy({object.data(), object.size()}, "step");
            if (llvm::Error e = layer_.add(library, std::move(bytes)))
                throw rattleback::Error("not a usable object: " + llvm::toString(std::move(e)));
            entry = entry_of(value_of(session_.lookup({&library}, step_symbol)));
        } catch (...) {
            end();
            throw;
        }
    }
    ~OrcLoaded() override { end(); }

  private:
    void end() { llvm::consumeError(session_.endSession()); }

    llvm::orc::ExecutionSession session_;
    llvm::orc::ObjectLinkingLayer layer_;
};

} // namespace

std::unique_ptr<const Loaded> load_by_orc(std::string_view object) { return std::make_unique<OrcLoaded>(object); }

} // namespace rattleback::code
