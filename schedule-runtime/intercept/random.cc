// Random bytes that a controlled thread asks the system for: a function of the schedule's seed, the thread and how often it has
// asked, so that a run stays a function of its input (RUNTIME.md 1).
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "engine/engine.h"
#include "intercept/library_access.h"

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

constexpr uint64_t kRandomSubject = 0x4A4D;

uint64_t next_random() {
  Thread& t = *current_thread();
  const uint64_t drawn = heddle::mix(heddle::mix(engine().schedule().seed, kRandomSubject), heddle::mix(t.id, ++t.random_draws));
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

HEDDLE_SHIM ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  if (current_thread() != nullptr) {
    fill_random(buffer, size);
    return static_cast<ssize_t>(size);
  }
  if (&___interceptor_getrandom != nullptr) return ___interceptor_getrandom(buffer, size, flags);
  return real_getrandom(buffer, size, flags);
}

HEDDLE_SHIM int getentropy(void* buffer, size_t size) {
  if (current_thread() != nullptr) {
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
  if (current_thread() == nullptr) return real_arc4random();
  return static_cast<uint32_t>(next_random());
}

HEDDLE_SHIM void arc4random_buf(void* buffer, size_t size) noexcept {
  if (current_thread() == nullptr) return real_arc4random_buf(buffer, size);
  fill_random(buffer, size);
}

HEDDLE_SHIM uint32_t arc4random_uniform(uint32_t bound) noexcept {
  if (current_thread() == nullptr) return real_arc4random_uniform(bound);
  return bound < 2 ? 0 : static_cast<uint32_t>(next_random() % bound);
}

// std::random_device, whose default on x86 is the processor's own instruction: nothing of it could be interposed below.
HEDDLE_SHIM unsigned _ZNSt13random_device9_M_getvalEv(void* self) {
  if (current_thread() != nullptr) return static_cast<unsigned>(next_random());
  static const auto real = reinterpret_cast<unsigned (*)(void*)>(dlsym(RTLD_NEXT, "_ZNSt13random_device9_M_getvalEv"));
  return real(self);
}

// Its state is the caller's.
HEDDLE_LIBRARY_FUNCTION(int, rand_r, (unsigned* state), (state), (reads(state), writes(state)))
