// llvm-symbolizer, in its own process. It starts on the first question. Only raw system calls are used, because the runtime may be on a
// fiber, in a signal handler, or in a process with a corrupted heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::rt {

// Asks about the code or the data at an offset of a module. The result is the symbolizer's text without the final empty line, valid until
// the next question. Empty: no answer (no symbolizer, symbolize=0 and no suppressions, time-out).
std::string_view symbolize_code(const char* module, uintptr_t offset);
std::string_view symbolize_data(const char* module, uintptr_t offset);

// From now on, questions that were answered in this memory (zero at first) are not asked again. It lives as long as the process.
class SymbolizerMemory;
void share_symbolizer_memory(SymbolizerMemory& memory);

// Ends the child. The next question starts another one.
void stop_symbolizer();

}  // namespace heddle::rt
