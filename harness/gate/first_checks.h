// Instrumented code calls heddle for each access, comparison and function. Most of these calls only find that nothing is to be done. Here the
// check for that is put in front of the call, into the program's code. The check is cheaper than a call, after which the compiler can keep
// nothing in most registers. What the checks read is in schedule-runtime/base/gate_layout.h.
//
// Each function changes one sort of calls in a function that ThreadSanitizer's and SanitizerCoverage's passes have instrumented. True: it has changed
// something. None changes what heddle decides: a call that is left out would have done nothing, apart from what the check does in its place.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace heddle::gate {

bool check_accesses(llvm::Function& function);     // __tsan_read8 and its siblings
bool check_comparisons(llvm::Function& function);  // __sanitizer_cov_trace_cmp8 and its siblings
bool check_calls(llvm::Function& function);        // __tsan_func_entry, __tsan_func_exit

// A variable of heddle's.
class Shared {
 public:
  Shared(llvm::Module& module, llvm::StringRef name, unsigned size, bool thread_local_);

  llvm::Value* field(llvm::IRBuilder<>& build, unsigned offset) const;
  llvm::Value* load(llvm::IRBuilder<>& build, llvm::Type* type, unsigned offset) const { return build.CreateLoad(type, field(build, offset)); }

 private:
  llvm::GlobalVariable* variable_;
};

// Branch weights: the first branch is hardly ever taken.
llvm::MDNode* rarely(llvm::LLVMContext& context);

// The name of the function that is called; empty if it is not known.
llvm::StringRef name_of_callee(const llvm::Instruction& instruction);

}  // namespace heddle::gate
