#include "intercept/descriptors/standard_descriptors_change.h"

#include "engine/engine.h"
#include "engine/program_exit.h"
#include "restore/standard_descriptors.h"
#include "restore/touched_state.h"

namespace heddle::rt {
namespace {

constinit StandardDescriptors g_standard;
constinit bool g_copied = false;
constinit TouchedState g_touched{[] { g_standard.put_back(); }};

}  // namespace

void standard_descriptors_change(unsigned first, unsigned last) {
  if (first >= StandardDescriptors::kCount || last < first || current_thread() == nullptr || in_program() || !g_touched.touch() || g_copied) return;
  g_copied = true;
  g_standard.copy();
}

}  // namespace heddle::rt
