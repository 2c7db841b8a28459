// Random bytes that a controlled thread gets from the system. They are a function of the schedule's seed, the thread, and how many requests
// it has made. So a run is a function of its input (docs/design/runtime-laws.md#what-an-execution-depends-on). What the program draws before its
// first execution is the same in each process.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/high_copy.h"
#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "engine/initialisation.h"
#include "intercept/descriptors/random_file.h"
#include "intercept/library_access.h"
#include "schema/random_words.h"

using namespace heddle::rt;

extern "C" {
__attribute__((weak)) ssize_t ___interceptor_getrandom(void*, size_t, unsigned);
__attribute__((weak)) int ___interceptor_getentropy(void*, size_t);
}

HEDDLE_REAL(getrandom);
HEDDLE_REAL(getentropy);
static constinit Real<uint32_t()> real_arc4random{"arc4random"};
static constinit Real<void(void*, size_t)> real_arc4random_buf{"arc4random_buf"};
static constinit Real<uint32_t(uint32_t)> real_arc4random_uniform{"arc4random_uniform"};

namespace {

// REQUIRES: !is_foreign().
uint64_t next_random() {
  if (initialises()) return initialisation().random();
  Thread& t = *current_thread();
  const uint64_t drawn = heddle::random_word(engine().schedule().seed, t.id, ++t.random_draws);
  engine().told(drawn);
  return drawn;
}

void fill_random(void* out, size_t size) {
  unsigned char* bytes = static_cast<unsigned char*>(out);
  while (size != 0) {
    const uint64_t word = next_random();
    const size_t n = size < sizeof word ? size : sizeof word;
    memcpy(bytes, &word, n);
    bytes += n;
    size -= n;
  }
}

}  // namespace

namespace heddle::rt {

bool is_random_device(std::string_view path) { return path == "/dev/urandom" || path == "/dev/random"; }

int make_random_file() {
  const long file = move_high(raw_syscall(SYS_memfd_create, reinterpret_cast<uintptr_t>(kRandomFileName), MFD_CLOEXEC));
  if (file < 0) return -1;
  for (size_t i = 0; i < kRandomFileChunks; ++i) {
    uint64_t words[kRandomFileWords];
    uint64_t state = next_random();
    for (uint64_t& word : words) word = state = next_word_of_file(state);
    raw_syscall(SYS_write, static_cast<uintptr_t>(file), reinterpret_cast<uintptr_t>(words), sizeof words);
  }
  raw_syscall(SYS_lseek, static_cast<uintptr_t>(file), 0, SEEK_SET);
  return static_cast<int>(file);
}

}  // namespace heddle::rt

HEDDLE_SHIM ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  if (!is_foreign()) {
    fill_random(buffer, size);
    return static_cast<ssize_t>(size);
  }
  if (&___interceptor_getrandom != nullptr) return ___interceptor_getrandom(buffer, size, flags);
  return real_getrandom(buffer, size, flags);
}

HEDDLE_SHIM int getentropy(void* buffer, size_t size) {
  if (!is_foreign()) {
    if (size > 256) {
      errno = EIO;
      return -1;
    }
    fill_random(buffer, size);
    return 0;
  }
  if (&___interceptor_getentropy != nullptr) return ___interceptor_getentropy(buffer, size);
  return real_getentropy(buffer, size);
}

HEDDLE_SHIM uint32_t arc4random() noexcept {
  if (is_foreign()) return real_arc4random();
  return static_cast<uint32_t>(next_random());
}

HEDDLE_SHIM void arc4random_buf(void* buffer, size_t size) noexcept {
  if (is_foreign()) return real_arc4random_buf(buffer, size);
  fill_random(buffer, size);
}

HEDDLE_SHIM uint32_t arc4random_uniform(uint32_t bound) noexcept {
  if (is_foreign()) return real_arc4random_uniform(bound);
  return bound < 2 ? 0 : static_cast<uint32_t>(next_random() % bound);
}

// std::random_device. On x86 its default is an instruction of the processor, so no lower-level call could be intercepted.
HEDDLE_SHIM unsigned _ZNSt13random_device9_M_getvalEv(void* self) {
  if (!is_foreign()) return static_cast<unsigned>(next_random());
  static const auto real = reinterpret_cast<unsigned (*)(void*)>(dlsym(RTLD_NEXT, "_ZNSt13random_device9_M_getvalEv"));
  return real(self);
}

// The state belongs to the caller.
HEDDLE_LIBRARY_FUNCTION(int, rand_r, (unsigned* state), (state), (reads(state), writes(state)))
