#include "harness/driver/engine_names.h"

#include <cstdint>

#include "analyses/die.h"
#include "base/line.h"
#include "base/program_text.h"
#include "restore/restored_modules.h"

extern "C" {
struct heddle_named {
  const char* name;
  const void* what;
};
// From harness/link/user_data_begin.c, and from the linker.
extern __attribute__((weak)) const heddle_named heddle_libfuzzer_calls[];
extern __attribute__((weak)) const void* const heddle_operator_new;
__attribute__((weak, visibility("hidden"))) extern const char heddle_user_data_begin[], _end[];
}

namespace heddle::driver {

bool engine_allocates_with_program() {
  if (!rt::libfuzzer_linked() || &heddle_operator_new == nullptr) return false;
  const auto text = rt::program_text();
  return reinterpret_cast<uintptr_t>(heddle_operator_new) - reinterpret_cast<uintptr_t>(text.data()) < text.size();
}

void note_own_allocation() {
  if (!engine_allocates_with_program() || rt::keeps_everything()) return;
  rt::print_line(2, "heddle: note: libFuzzer allocates with the operator new of this program, whose variables are put back before each execution. If it keeps "
                    "lists of blocks, libFuzzer's are lost, and it crashes: leave it out of the target, or use HEDDLE_KEEP_EVERYTHING()\n");
}

void note_engine_names() {
  if (!rt::libfuzzer_linked() || heddle_libfuzzer_calls == nullptr || heddle_user_data_begin == nullptr) return;
  const auto begin = reinterpret_cast<uintptr_t>(heddle_user_data_begin), end = reinterpret_cast<uintptr_t>(_end);
  for (const heddle_named* n = heddle_libfuzzer_calls; n->name != nullptr; ++n) {
    const auto address = reinterpret_cast<uintptr_t>(n->what);
    if (address < begin || address >= end) continue;
    rt::print_line(2, "heddle: note: libFuzzer calls %s, which is a variable of this program: if that crashes, compile the program with -D%s=program_%s\n", n->name,
                   n->name, n->name);
  }
}

}  // namespace heddle::driver
