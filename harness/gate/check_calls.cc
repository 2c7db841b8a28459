// ShadowStack::enter and leave (schedule-runtime/trace/contexts.h) for functions that are called and return in the usual way. After a longjmp, or too
// deep, heddle's own functions do the work.
#include <vector>

#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "base/gate_layout.h"
#include "first_checks.h"

namespace heddle::gate {
namespace {

using namespace llvm;
namespace layout = heddle::rt::gate_layout;

class Frames {
 public:
  explicit Frames(Function& function)
      : thread_(*function.getParent(), "heddle_thread", sizeof(uint64_t), true), rarely_(rarely(function.getContext())),
        frame_address_(Intrinsic::getDeclaration(function.getParent(), Intrinsic::frameaddress, PointerType::getUnqual(function.getContext()))) {}

  void enter(CallInst* call) {
    IRBuilder<> build(only_on_thread(call));
    Value* const top = load_top(build);
    Value* const frame = own_frame(build);
    Value* const left_over = build.CreateICmpULE(word(build, top, layout::kFrame), frame);
    Value* const too_deep = build.CreateICmpEQ(top, build.CreateLoad(build.getPtrTy(), at(build, stack_, layout::kDepthLimit)));
    unless_rare(build, build.CreateOr(left_over, too_deep), call);
    Value* const next = at(build, top, layout::kFrameSize);
    build.CreateStore(build.CreatePtrToInt(call->getArgOperand(0), build.getInt64Ty()), at(build, next, layout::kCallPc));
    build.CreateStore(frame, at(build, next, layout::kFrame));
    build.CreateStore(build.getInt32(0), at(build, next, layout::kNode));
    build.CreateStore(next, at(build, stack_, layout::kTop));
  }

  void leave(CallInst* call) {
    IRBuilder<> build(only_on_thread(call));
    Value* const top = load_top(build);
    unless_rare(build, build.CreateICmpNE(word(build, top, layout::kFrame), own_frame(build)), call);
    build.CreateStore(build.CreateConstGEP1_32(build.getInt8Ty(), top, -static_cast<int>(layout::kFrameSize)), at(build, stack_, layout::kTop));
  }

 private:
  // Where what is done on a controlled thread goes: the call itself has gone there.
  Instruction* only_on_thread(CallInst* call) {
    IRBuilder<> build(call);
    stack_ = thread_.load(build, build.getPtrTy(), 0);
    static_assert(layout::kStack == 0);
    Instruction* const there = SplitBlockAndInsertIfThen(build.CreateIsNotNull(stack_), call, false);
    call->moveBefore(there);
    return there;
  }
  // The call goes to where `rare` holds, and `build` to where it does not.
  void unless_rare(IRBuilder<>& build, Value* rare, CallInst* call) {
    Instruction *then, *otherwise;
    SplitBlockAndInsertIfThenElse(rare, &*build.GetInsertPoint(), &then, &otherwise, rarely_);
    call->moveBefore(then);
    call->addFnAttr(Attribute::Cold);
    build.SetInsertPoint(otherwise);
  }
  // Below the frames of all callers, also of those whose frame is that of heddle's function (intercept/memory/tsan_func.cc), which can be as low as this
  // function's frame pointer. And above all that is called from here.
  Value* own_frame(IRBuilder<>& build) {
    Value* const pointer = build.CreateCall(frame_address_, {build.getInt32(0)});
    return build.CreateSub(build.CreatePtrToInt(pointer, build.getInt64Ty()), build.getInt64(sizeof(uint64_t)));
  }
  Value* at(IRBuilder<>& build, Value* begin, unsigned offset) { return build.CreateConstInBoundsGEP1_32(build.getInt8Ty(), begin, offset); }
  Value* word(IRBuilder<>& build, Value* begin, unsigned offset) { return build.CreateLoad(build.getInt64Ty(), at(build, begin, offset)); }
  Value* load_top(IRBuilder<>& build) { return build.CreateLoad(build.getPtrTy(), at(build, stack_, layout::kTop)); }

  Shared thread_;
  MDNode* rarely_;
  Function* frame_address_;
  Value* stack_ = nullptr;
};

}  // namespace

bool check_calls(Function& function) {
  std::vector<CallInst*> entries, exits;
  for (BasicBlock& block : function) {
    for (Instruction& instruction : block) {
      auto* const call = dyn_cast<CallInst>(&instruction);
      if (call == nullptr) continue;
      if (name_of_callee(*call) == "__tsan_func_entry") entries.push_back(call);
      if (name_of_callee(*call) == "__tsan_func_exit") exits.push_back(call);
    }
  }
  if (entries.empty() && exits.empty()) return false;
  Frames frames(function);
  for (CallInst* const call : entries) frames.enter(call);
  for (CallInst* const call : exits) frames.leave(call);
  return true;
}

}  // namespace heddle::gate
