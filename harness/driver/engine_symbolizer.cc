// libFuzzer names the functions that it reaches for the first time (NEW_FUNC). For that the sanitizers' runtime starts a symbolizer, whose pipes stay
// open between executions. With low numbers, the program's own descriptors would have other numbers than in a process that has no symbolizer; and as
// descriptors that nobody knows they would be closed, so that the runtime had to start it again and again, with a warning.
#include <cstdint>
#include <cstdio>

#include "base/high_numbers.h"
#include "engine/engine.h"
#include "restore/process_state.h"

extern "C" {
__attribute__((weak)) void __real___sanitizer_symbolize_pc(void* pc, const char* format, char* out, size_t size);

__attribute__((visibility("default"))) void __wrap___sanitizer_symbolize_pc(void* pc, const char* format, char* out, size_t size) {
  if (&__real___sanitizer_symbolize_pc == nullptr) {
    std::snprintf(out, size, "0x%jx", reinterpret_cast<uintmax_t>(pc));
    return;
  }
  if (heddle::rt::current_thread() != nullptr) return __real___sanitizer_symbolize_pc(pc, format, out, size);  // the program's own call
  {
    const heddle::rt::HighNumbers scope;
    __real___sanitizer_symbolize_pc(pc, format, out, size);
  }
  heddle::rt::keep_high_descriptors();
}
}
