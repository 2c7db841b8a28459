// llvm-symbolizer, in its own process. It is started at the first question, with raw system calls only: the runtime may be on a fiber,
// in a signal handler, or in a process with a corrupted heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::rt {

// Asks about the code or the datum at an offset of a module. The answer is the symbolizer's text without the final empty
// line, valid until the next question; empty: there is none (no symbolizer, symbolize=0, time out).
std::string_view symbolize_code(const char* module, uintptr_t offset);
std::string_view symbolize_data(const char* module, uintptr_t offset);

// Ends the child.
void stop_symbolizer();

}  // namespace heddle::rt
