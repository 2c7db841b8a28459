#include "first_checks.h"

#include <llvm/IR/MDBuilder.h>

namespace heddle::gate {

using namespace llvm;

Shared::Shared(Module& module, StringRef name, unsigned size, bool thread_local_)
    : variable_(cast<GlobalVariable>(module.getOrInsertGlobal(name, ArrayType::get(Type::getInt8Ty(module.getContext()), size)))) {
  variable_->setAlignment(Align(8));
  // It is in the executable, where position-dependent code and that of an executable reach it directly.
  const bool of_library = module.getPICLevel() != PICLevel::NotPIC && module.getPIELevel() == PIELevel::Default;
  variable_->setDSOLocal(!of_library);
  if (thread_local_) variable_->setThreadLocalMode(of_library ? GlobalValue::InitialExecTLSModel : GlobalValue::LocalExecTLSModel);
}

Value* Shared::field(IRBuilder<>& build, unsigned offset) const {
  Value* const begin = variable_->isThreadLocal() ? static_cast<Value*>(build.CreateThreadLocalAddress(variable_)) : variable_;
  return build.CreateConstInBoundsGEP1_32(build.getInt8Ty(), begin, offset);
}

MDNode* rarely(LLVMContext& context) { return MDBuilder(context).createBranchWeights(1, 1 << 20); }

StringRef name_of_callee(const Instruction& instruction) {
  const auto* const call = dyn_cast<CallBase>(&instruction);
  const Function* const callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr ? callee->getName() : "";
}

}  // namespace heddle::gate
