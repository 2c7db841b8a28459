#include "harness/driver/streams.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/program_exit.h"

// Declared by name: a target has the streams of one library, of both, or of none, and heddle's object needs neither. Changes of libc++'s
// streams are undone with its other variables (restore/program_data.cc).
extern "C" {
extern __attribute__((weak)) uintptr_t heddle_gnu_cin[] asm("_ZSt3cin");
extern __attribute__((weak)) uintptr_t heddle_gnu_cout[] asm("_ZSt4cout");
extern __attribute__((weak)) uintptr_t heddle_gnu_cerr[] asm("_ZSt4cerr");
extern __attribute__((weak)) uintptr_t heddle_gnu_clog[] asm("_ZSt4clog");
__attribute__((weak)) void* heddle_gnu_flush(void* stream) asm("_ZNSo5flushEv");
extern __attribute__((weak)) uintptr_t heddle_llvm_cout[] asm("_ZNSt3__14coutE");
extern __attribute__((weak)) uintptr_t heddle_llvm_cerr[] asm("_ZNSt3__14cerrE");
extern __attribute__((weak)) uintptr_t heddle_llvm_clog[] asm("_ZNSt3__14clogE");
__attribute__((weak)) void* heddle_llvm_flush(void* stream) asm("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE5flushEv");
}

namespace heddle::driver {
namespace {

using Flush = void*(void*);

struct Stream {
  uintptr_t* object;
  Flush* flush;  // null: it is read from
  bool is_put_back = false;
};

constexpr Stream kStreams[] = {
    {heddle_gnu_cin, nullptr, true},           {heddle_gnu_cout, heddle_gnu_flush, true}, {heddle_gnu_cerr, heddle_gnu_flush, true},
    {heddle_gnu_clog, heddle_gnu_flush, true}, {heddle_llvm_cout, heddle_llvm_flush},     {heddle_llvm_cerr, heddle_llvm_flush},
    {heddle_llvm_clog, heddle_llvm_flush},
};
constexpr size_t kCount = sizeof kStreams / sizeof *kStreams;

// A stream that was not constructed is all zero. A constructed one begins with its virtual-table pointer.
bool is_there(const Stream& stream) { return stream.object != nullptr && stream.object[0] != 0; }

// The size of the variable, which the linker or the loader may have moved. 0 if only the linker knows it: then it is in the executable,
// among the program's variables.
size_t size_of(const Stream& stream) {
  Dl_info info;
  void* symbol = nullptr;
  if (dladdr1(stream.object, &info, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr || info.dli_saddr != stream.object) return 0;
  return static_cast<const ElfW(Sym)*>(symbol)->st_size;
}

// Only the bytes of the stream itself. Memory that a stream owns (a locale, an array of the program's words) belongs to the execution that
// gave it to the stream, and ends with it.
struct Saved {
  static constexpr size_t kMost = 512;
  size_t size = 0;
  unsigned char bytes[kMost];
};
Saved g_saved[kCount];
bool g_captured = false;

void flush_streams() {
  for (const Stream& stream : kStreams) {
    if (is_there(stream) && stream.flush != nullptr) stream.flush(stream.object);
  }
}

}  // namespace

void capture_streams() {
  if (g_captured) return;
  g_captured = true;
  for (size_t i = 0; i < kCount; ++i) {
    if (!kStreams[i].is_put_back || !is_there(kStreams[i])) continue;
    const size_t size = size_of(kStreams[i]);
    if (size > Saved::kMost) continue;
    g_saved[i].size = size;
    std::memcpy(g_saved[i].bytes, kStreams[i].object, size);
  }
  rt::set_stream_flush(flush_streams);
}

void restore_streams() {
  for (size_t i = 0; i < kCount; ++i) std::memcpy(kStreams[i].object, g_saved[i].bytes, g_saved[i].size);
}

}  // namespace heddle::driver
