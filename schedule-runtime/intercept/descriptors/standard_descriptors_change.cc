#include "intercept/descriptors/standard_descriptors_change.h"

#include "base/error_output.h"
#include "base/high_copy.h"
#include "engine/engine.h"
#include "engine/program_exit.h"
#include "restore/standard_descriptors.h"
#include "restore/touched_state.h"

namespace heddle::rt {
namespace {

constinit StandardDescriptors g_standard;
constinit bool g_copied = false;
constinit TouchedState g_touched{[] {
  g_standard.put_back();
  forget_error_output();
}};

void copy_in_harness() {
  if (!g_touched.touch()) return;
  if (!g_copied) g_standard.copy();
  g_copied = true;
  keep_error_output(g_standard.error_output());
}

// All descriptors are closed when the execution ends, and so is this copy.
void copy_in_program() {
  if (!error_output_is_kept()) keep_error_output(high_copy(2));
}

}  // namespace

void standard_descriptors_change(unsigned first, unsigned last) {
  if (first >= StandardDescriptors::kCount || last < first || current_thread() == nullptr) return;
  if (!in_program()) copy_in_harness();
  else if (first <= 2 && last >= 2) copy_in_program();
}

}  // namespace heddle::rt
