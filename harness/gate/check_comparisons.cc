// ComparisonGate (schedule-runtime/trace/comparison_gate.h) in front of the callbacks of -fsanitize-coverage=trace-cmp.
#include <vector>

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "base/gate_layout.h"
#include "first_checks.h"

namespace heddle::gate {

using namespace llvm;
namespace layout = heddle::rt::gate_layout;

bool check_comparisons(Function& function) {
  std::vector<CallInst*> calls;
  for (BasicBlock& block : function) {
    for (Instruction& instruction : block) {
      StringRef name = name_of_callee(instruction);
      if (!isa<CallInst>(instruction) || !name.consume_front("__sanitizer_cov_trace_")) continue;
      name.consume_front("const_");
      if (name.starts_with("cmp")) calls.push_back(cast<CallInst>(&instruction));
    }
  }
  if (calls.empty()) return false;
  const Shared gate(*function.getParent(), "heddle_comparisons", layout::kComparisonGateSize, false);
  for (CallInst* const call : calls) {
    IRBuilder<> build(call);
    Value* wanted = build.CreateICmpNE(gate.load(build, build.getInt16Ty(), layout::kAllCompared), build.getInt16(0));
    // Smaller values are no number of data bytes (intercept/libc/comparison_hooks.cc).
    if (call->getArgOperand(0)->getType()->getIntegerBitWidth() >= 32) {
      Value* const length = gate.load(build, build.getInt64Ty(), layout::kLength);
      for (Value* const operand : call->args()) {
        wanted = build.CreateOr(wanted, build.CreateICmpEQ(build.CreateZExt(operand, build.getInt64Ty()), length));
      }
    }
    call->moveBefore(SplitBlockAndInsertIfThen(wanted, call, false, rarely(function.getContext())));
    call->addFnAttr(Attribute::Cold);
  }
  return true;
}

}  // namespace heddle::gate
