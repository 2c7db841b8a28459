// What clang loads for -fpass-plugin. It must be of the version of LLVM that this was compiled with.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include "first_checks.h"

namespace {

using namespace llvm;

struct FirstChecks : PassInfoMixin<FirstChecks> {
  // Accesses come first, because the others divide blocks.
  PreservedAnalyses run(Function& function, FunctionAnalysisManager&) {
    bool changed = heddle::gate::check_accesses(function);
    changed |= heddle::gate::check_comparisons(function);
    changed |= heddle::gate::check_calls(function);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  // Also in functions that are not to be optimised: all code counts its accesses in the same way.
  static bool isRequired() { return true; }
};

// clang asks plugins for their passes before it adds its own for -fsanitize=thread, and ours must come after that. So it registers when clang
// begins to build the pipeline.
void add_passes(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([&builder, added = false](ModulePassManager&, OptimizationLevel level) mutable {
    // Without optimisation the check is slower than the call.
    if (added || level == OptimizationLevel::O0) return;
    added = true;
    builder.registerOptimizerLastEPCallback(
        [](ModulePassManager& passes, OptimizationLevel, auto...) { passes.addPass(createModuleToFunctionPassAdaptor(FirstChecks())); });
  });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle", LLVM_VERSION_STRING, add_passes};
}
