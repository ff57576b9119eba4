// A listing as a module of LLVM, with one function, "step".
#pragma once

#include "code/listing.hpp"

#include <memory>

#include <llvm/IR/Module.h>

namespace rattleback::code {

std::unique_ptr<llvm::Module> translate(llvm::LLVMContext& context, const Listing& listing, const Shape& shape);

} // namespace rattleback::code
