#include "translation.hpp"

#include "expr/graph.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>

namespace rattleback::code {
namespace {

using llvm::Value;

// One listing, line by line. A line's result is `groups` values side by side, each of `width` lanes.
class Translation {
  public:
    Translation(llvm::LLVMContext& context, const Listing& listing, const Shape& shape)
        : listing_(listing), width_(static_cast<unsigned>(shape.width)), groups_(static_cast<unsigned>(shape.groups)),
          module_(std::make_unique<llvm::Module>("step", context)), at_(context) {
        wide_.resize(listing.lines.size() * groups_);
        set_types();
        auto* const type =
            llvm::FunctionType::get(at_.getInt64Ty(), {at_.getPtrTy(), at_.getInt64Ty(), at_.getPtrTy()}, false);
        function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "step", *module_);
        function_->addFnAttr(llvm::Attribute::NoUnwind);
        // Vectors that are spilled must not cross cache lines, which costs up to 1.3 times a step's time.
        if (width_ > 1) function_->addFnAttr("stackrealign");
        at_.SetInsertPoint(block("entry"));
        for (unsigned a = 0; a < Array::array_count; ++a) arrays_[a] = pointer_at(function_->getArg(0), a);
        counter_ = at_.CreateAlloca(at_.getInt64Ty());
        at_.CreateStore(at_.getInt64(0), counter_);
    }

    std::unique_ptr<llvm::Module> run() {
        for (std::uint32_t i = 0; i < listing_.lines.size(); ++i)
            if (!control(listing_.lines[i]))
                for (unsigned g = 0; g < groups_; ++g) wide_[i * groups_ + g] = line(listing_.lines[i], g);
        at_.CreateRet(at_.CreateLoad(at_.getInt64Ty(), counter_));
        return std::move(module_);
    }

  private:
    void set_types() {
        number_ = lanes(at_.getDoubleTy()), mask_ = lanes(at_.getInt1Ty()), bits_ = lanes(at_.getInt64Ty());
    }
    llvm::Type* lanes(llvm::Type* one) const { return width_ > 1 ? llvm::FixedVectorType::get(one, width_) : one; }
    llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(at_.getContext(), name, function_); }
    Value* of(std::uint32_t id, unsigned g) const { return wide_[id * groups_ + g]; }
    Value* pointer_at(Value* table, unsigned i) {
        return at_.CreateLoad(at_.getPtrTy(), at_.CreateConstInBoundsGEP1_64(at_.getPtrTy(), table, i));
    }
    Value* spread(Value* one) { return width_ > 1 ? at_.CreateVectorSplat(width_, one) : one; }
    Value* constant(std::uint32_t i, bool as_number) {
        const std::uint64_t bits = listing_.constants[i];
        if (!as_number) return llvm::ConstantInt::get(bits_, bits);
        return llvm::ConstantFP::get(number_, llvm::APFloat(std::bit_cast<double>(bits)));
    }
    Value* place(std::uint32_t array, std::uint32_t index, unsigned g) {
        const std::uint64_t offset = (static_cast<std::uint64_t>(index) * groups_ + g) * width_;
        return at_.CreateConstInBoundsGEP1_64(at_.getDoubleTy(), arrays_[array], offset);
    }
    Value* at_step(const Line& l, unsigned g) {
        Value* const counter = at_.CreateLoad(at_.getInt64Ty(), counter_);
        Value* const step =
            at_.CreateAdd(at_.CreateMul(counter, at_.getInt64(groups_ * width_)), at_.getInt64(g * width_));
        Value* const column = at_.CreateConstInBoundsGEP1_64(at_.getDoubleTy(), arrays_[l.a], l.b * row_stride);
        return at_.CreateInBoundsGEP(at_.getDoubleTy(), column, step);
    }
    Value* intrinsic(llvm::Intrinsic::ID id, std::initializer_list<Value*> arguments) {
        return at_.CreateIntrinsic(id, {number_}, llvm::ArrayRef<Value*>(arguments.begin(), arguments.size()));
    }
    llvm::MDNode* unlikely() { return llvm::MDBuilder(at_.getContext()).createBranchWeights(1, 1000); }
    Value* any(std::uint32_t mask) {
        Value* all = of(mask, 0);
        for (unsigned g = 1; g < groups_; ++g) all = at_.CreateOr(all, of(mask, g));
        return width_ > 1 ? at_.CreateOrReduce(all) : all;
    }

    // The scalar function, lane after lane.
    Value* call(const Line& l, unsigned g) {
        Value* const target = pointer_at(functions(), l.a);
        const bool two = l.c != none;
        auto* const one = at_.getDoubleTy();
        auto* const type =
            two ? llvm::FunctionType::get(one, {one, one}, false) : llvm::FunctionType::get(one, {one}, false);
        const auto lane = [&](std::uint32_t id, unsigned k) {
            return width_ > 1 ? at_.CreateExtractElement(of(id, g), k) : of(id, g);
        };
        Value* result = llvm::PoisonValue::get(number_);
        for (unsigned k = 0; k < width_; ++k) {
            llvm::SmallVector<Value*, 2> arguments{lane(l.b, k)};
            if (two) arguments.push_back(lane(l.c, k));
            auto* const value = at_.CreateCall(type, target, arguments);
            value->setDoesNotThrow();
            value->setDoesNotAccessMemory();
            result = width_ > 1 ? at_.CreateInsertElement(result, value, k) : value;
        }
        return result;
    }

    Value* variable(llvm::Type* type) { // in the entry block, whatever is being written
        llvm::IRBuilder<> entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
        return entry.CreateAlloca(type);
    }

    Value* line(const Line& l, unsigned g) {
        const auto a = [&] { return of(l.a, g); };
        const auto b = [&] { return of(l.b, g); };
        switch (l.what) {
        case Do::number: return constant(l.a, true);
        case Do::bits: return constant(l.a, false);
        case Do::nothing: return llvm::ConstantInt::get(mask_, 0);
        case Do::add: return at_.CreateFAdd(a(), b());
        case Do::subtract: return at_.CreateFSub(a(), b());
        case Do::multiply: return at_.CreateFMul(a(), b());
        case Do::divide: return at_.CreateFDiv(a(), b());
        case Do::fused: return intrinsic(llvm::Intrinsic::fma, {a(), b(), of(l.c, g)});
        case Do::negate: return at_.CreateFNeg(a());
        case Do::magnitude: return intrinsic(llvm::Intrinsic::fabs, {a()});
        case Do::root: return intrinsic(llvm::Intrinsic::sqrt, {a()});
        case Do::select: return at_.CreateSelect(a(), b(), of(l.c, g));
        case Do::call: return call(l, g);
        case Do::less: return at_.CreateFCmpOLT(a(), b());
        case Do::less_equal: return at_.CreateFCmpOLE(a(), b());
        case Do::equal: return at_.CreateFCmpOEQ(a(), b());
        case Do::differs: return at_.CreateFCmpUNE(a(), b());
        case Do::both: return at_.CreateAnd(a(), b());
        case Do::either: return at_.CreateOr(a(), b());
        case Do::invert: return at_.CreateNot(a());
        case Do::bits_of: return at_.CreateBitCast(a(), bits_);
        case Do::number_of: return at_.CreateBitCast(a(), number_);
        case Do::bits_add: return at_.CreateAdd(a(), b());
        case Do::bits_subtract: return at_.CreateSub(a(), b());
        case Do::bits_and: return at_.CreateAnd(a(), b());
        case Do::bits_or: return at_.CreateOr(a(), b());
        case Do::bits_xor: return at_.CreateXor(a(), b());
        case Do::shift_left: return at_.CreateShl(a(), llvm::ConstantInt::get(bits_, l.b));
        case Do::shift_right: return at_.CreateLShr(a(), llvm::ConstantInt::get(bits_, l.b));
        case Do::bits_equal: return at_.CreateICmpEQ(a(), b());
        case Do::number_variable: return variable(number_);
        case Do::mask_variable: return variable(mask_);
        case Do::get: return at_.CreateLoad(listing_.lines[l.a].what == Do::mask_variable ? mask_ : number_, a());
        case Do::set: return at_.CreateStore(b(), a());
        case Do::load: return at_.CreateAlignedLoad(number_, place(l.a, l.b, g), llvm::Align(8));
        case Do::store: return at_.CreateAlignedStore(of(l.c, g), place(l.a, l.b, g), llvm::Align(8));
        case Do::load_shared: {
            Value* const counter = at_.CreateLoad(at_.getInt64Ty(), counter_);
            Value* const from = at_.CreateInBoundsGEP(at_.getDoubleTy(), arrays_[l.a], counter);
            return spread(at_.CreateLoad(at_.getDoubleTy(), from));
        }
        case Do::load_step: return at_.CreateAlignedLoad(number_, at_step(l, g), llvm::Align(8));
        case Do::store_step: return at_.CreateAlignedStore(of(l.c, g), at_step(l, g), llvm::Align(8));
        case Do::load_run: return loaded(at_.CreateAlignedLoad(number_, moving(l.a, l.b), llvm::Align(8)));
        case Do::load_pairs: return every_other(l);
        case Do::load_one: {
            Value* const from = at_.CreateConstInBoundsGEP1_64(at_.getDoubleTy(), arrays_[l.a], l.b);
            return spread(loaded(at_.CreateLoad(at_.getDoubleTy(), from)));
        }
        case Do::store_run: {
            auto* const store = at_.CreateAlignedStore(of(l.c, g), moving(l.a, l.b), llvm::Align(8));
            store->setMetadata(llvm::LLVMContext::MD_alias_scope, stores_);
            return store;
        }
        case Do::flag: {
            auto *const then = block("flag"), *const on = block("on");
            at_.CreateCondBr(any(l.c), then, on, unlikely());
            at_.SetInsertPoint(then);
            Value* const to = at_.CreateConstInBoundsGEP1_64(at_.getDoubleTy(), arrays_[l.a], l.b);
            at_.CreateStore(llvm::ConstantFP::get(at_.getDoubleTy(), 1), to);
            at_.CreateBr(on);
            at_.SetInsertPoint(on);
            return nullptr;
        }
        default: return nullptr;
        }
    }

    // Loops and branches; false for every other line.
    bool control(const Line& l) {
        switch (l.what) {
        case Do::begin_steps: begin_steps(); return true;
        case Do::stop_if: {
            auto* const on = block("on");
            at_.CreateCondBr(any(l.a), exit_, on, unlikely());
            at_.SetInsertPoint(on);
            return true;
        }
        case Do::end_steps: {
            Value* const counter = at_.CreateLoad(at_.getInt64Ty(), counter_);
            at_.CreateStore(at_.CreateAdd(counter, at_.getInt64(1)), counter_);
            at_.CreateBr(head_);
            at_.SetInsertPoint(exit_);
            return true;
        }
        case Do::begin_loop: {
            auto* const head = block("loop");
            open_.push_back(head);
            at_.CreateBr(head);
            at_.SetInsertPoint(head);
            return true;
        }
        case Do::leave_unless: {
            after_ = block("after");
            auto* const on = block("again");
            at_.CreateCondBr(any(l.a), on, after_);
            at_.SetInsertPoint(on);
            return true;
        }
        case Do::end_loop:
            at_.CreateBr(open_.back());
            open_.pop_back();
            at_.SetInsertPoint(after_);
            return true;
        case Do::begin_if: {
            auto *const then = block("then"), *const end = block("end");
            open_.push_back(end);
            at_.CreateCondBr(any(l.a), then, end);
            at_.SetInsertPoint(then);
            return true;
        }
        case Do::end_if:
            at_.CreateBr(open_.back());
            at_.SetInsertPoint(open_.back());
            open_.pop_back();
            return true;
        case Do::begin_part: begin_part(); return true;
        case Do::end_part:
            at_.CreateRetVoid();
            function_ = outer_;
            at_.SetInsertPoint(return_to_);
            std::swap(arrays_, outer_arrays_);
            return true;
        case Do::begin_run: begin_run(l.a); return true;
        case Do::end_run: end_run(); return true;
        default: return false;
        }
    }

    // NOTE: inside, only what is written inside can be used; a listing has it no other way.
    void begin_part() {
        outer_ = function_, return_to_ = at_.GetInsertBlock();
        auto* const type = llvm::FunctionType::get(at_.getVoidTy(), {at_.getPtrTy(), at_.getPtrTy()}, false);
        auto* const part = llvm::Function::Create(type, llvm::Function::InternalLinkage, "part", *module_);
        part->addFnAttr(llvm::Attribute::NoUnwind);
        part->addFnAttr(llvm::Attribute::NoInline);
        at_.CreateCall(part, {table(), functions()});
        function_ = part;
        at_.SetInsertPoint(block("entry"));
        std::swap(arrays_, outer_arrays_);
        for (unsigned a = 0; a < Array::array_count; ++a) arrays_[a] = pointer_at(table(), a);
    }
    // As many indices at a time as a vector has lanes. The last round ends at the last index, and so may do some once
    // more: nothing that is stored is loaded, so they come out the same.
    void begin_run(std::uint32_t count) {
        width_ = count >= widest ? widest : shortest_run;
        set_types();
        rounds_ = (count + width_ - 1) / width_;
        round_ = variable(at_.getInt64Ty());
        at_.CreateStore(at_.getInt64(0), round_);
        auto* const head = block("run");
        open_.push_back(head);
        at_.CreateBr(head);
        at_.SetInsertPoint(head);
        Value* const place = at_.CreateMul(at_.CreateLoad(at_.getInt64Ty(), round_), at_.getInt64(width_));
        Value* const last = at_.getInt64(count - width_);
        index_ = at_.CreateSelect(at_.CreateICmpULT(place, last), place, last);
        llvm::MDBuilder metadata(at_.getContext());
        auto* const domain = metadata.createAnonymousAliasScopeDomain();
        stores_ = llvm::MDNode::get(at_.getContext(), metadata.createAnonymousAliasScope(domain));
    }
    void end_run() {
        Value* const next = at_.CreateAdd(at_.CreateLoad(at_.getInt64Ty(), round_), at_.getInt64(1));
        at_.CreateStore(next, round_);
        auto* const after = block("after");
        at_.CreateCondBr(at_.CreateICmpULT(next, at_.getInt64(rounds_)), open_.back(), after);
        open_.pop_back();
        at_.SetInsertPoint(after);
        width_ = 1;
        set_types();
    }
    Value* moving(std::uint32_t array, std::uint32_t from) {
        Value* const base = at_.CreateConstInBoundsGEP1_64(at_.getDoubleTy(), arrays_[array], from);
        return at_.CreateInBoundsGEP(at_.getDoubleTy(), base, index_);
    }
    // Two vectors side by side, and the even elements of both. The very last one may lie behind what is wanted: there
    // is a slot, since results come after what they are made of.
    Value* every_other(const Line& l) {
        Value* const base = at_.CreateConstInBoundsGEP1_64(at_.getDoubleTy(), arrays_[l.a], l.b);
        Value* const from = at_.CreateInBoundsGEP(at_.getDoubleTy(), base, at_.CreateMul(index_, at_.getInt64(2)));
        auto* const both = llvm::FixedVectorType::get(at_.getDoubleTy(), 2 * width_);
        llvm::SmallVector<int, 2 * widest> even;
        for (unsigned k = 0; k < width_; ++k) even.push_back(static_cast<int>(2 * k));
        return at_.CreateShuffleVector(loaded(at_.CreateAlignedLoad(both, from, llvm::Align(8))), even);
    }
    Value* loaded(llvm::LoadInst* load) {
        load->setMetadata(llvm::LLVMContext::MD_noalias, stores_);
        return load;
    }
    Value* table() { return function_->getArg(0); }
    Value* functions() { return function_->getArg(function_ == outer_ || !outer_ ? 2 : 1); }

    void begin_steps() {
        head_ = block("steps"), exit_ = block("exit");
        auto* const body = block("step");
        at_.CreateBr(head_);
        at_.SetInsertPoint(head_);
        Value* const counter = at_.CreateLoad(at_.getInt64Ty(), counter_);
        at_.CreateCondBr(at_.CreateICmpSLT(counter, function_->getArg(1)), body, exit_);
        at_.SetInsertPoint(body);
    }

    const Listing& listing_;
    unsigned width_, groups_;
    std::unique_ptr<llvm::Module> module_;
    llvm::IRBuilder<> at_;
    llvm::Type *number_ = nullptr, *mask_ = nullptr, *bits_ = nullptr;
    llvm::Function *function_ = nullptr, *outer_ = nullptr; // the one being written, and the one around it
    llvm::BasicBlock* return_to_ = nullptr;
    Value* outer_arrays_[Array::array_count] = {};
    llvm::BasicBlock *head_ = nullptr, *exit_ = nullptr, *after_ = nullptr;
    std::vector<llvm::BasicBlock*> open_; // heads of loops, ends of branches
    Value* counter_ = nullptr;
    static constexpr unsigned widest = 8;       // indices of a run at a time
    Value *round_ = nullptr, *index_ = nullptr; // of the run that is being written
    std::uint64_t rounds_ = 0;
    llvm::MDNode* stores_ = nullptr; // what its stores are, and its loads are not
    Value* arrays_[Array::array_count] = {};
    std::vector<Value*> wide_;
};

} // namespace

std::unique_ptr<llvm::Module> translate(llvm::LLVMContext& context, const Listing& listing, const Shape& shape) {
    return Translation(context, listing, shape).run();
}

} // namespace rattleback::code
