// rand(), drand48() and similar functions. Each execution has its own sequences. They begin at the state that the process had before the
// first execution.
#include <stdlib.h>
#include <string.h>

#include <cstdint>

#include "engine/engine.h"
#include "intercept/real.h"
#include "restore/touched_state.h"

using namespace heddle::rt;

HEDDLE_REAL(rand);
HEDDLE_REAL(srand);
HEDDLE_REAL(random);
HEDDLE_REAL(srandom);
HEDDLE_REAL(initstate);
HEDDLE_REAL(setstate);
HEDDLE_REAL(drand48);
HEDDLE_REAL(erand48);
HEDDLE_REAL(lrand48);
HEDDLE_REAL(nrand48);
HEDDLE_REAL(mrand48);
HEDDLE_REAL(jrand48);
HEDDLE_REAL(srand48);
HEDDLE_REAL(seed48);
HEDDLE_REAL(lcong48);

namespace {

constexpr size_t kLargestState = 256 / sizeof(int32_t), kSmallestState = 8;  // the latter in bytes

struct Sequence {
  bool known = false;
  int32_t initial[kLargestState];
  int32_t state[kLargestState];
  random_data data;
};
constinit Sequence g_sequence = {};
constinit TouchedState g_sequence_touched{nullptr};

struct Sequence48 {
  bool known = false;
  unsigned short initial[3];
  drand48_data data;
};
constinit Sequence48 g_sequence48 = {};
constinit TouchedState g_sequence48_touched{nullptr};

// The C library reveals the address of its state only when it gets another state. The first word tells which of five sizes the state has.
void look_at_process_sequence() {
  static constexpr size_t kBytes[] = {8, 32, 64, 128, 256};
  alignas(int32_t) char other[kSmallestState];
  char* const state = real_initstate(1, other, sizeof other);
  int32_t first;
  memcpy(&first, state, sizeof first);
  memcpy(g_sequence.initial, state, kBytes[static_cast<uint32_t>(first) % 5]);
  real_setstate(state);
}

random_data& sequence() {
  Sequence& s = g_sequence;
  if (!g_sequence_touched.touch()) return s.data;
  if (!s.known) look_at_process_sequence();
  s.known = true;
  memcpy(s.state, s.initial, sizeof s.state);
  s.data = {};
  alignas(int32_t) char other[kSmallestState];
  initstate_r(1, other, sizeof other, &s.data);  // setstate_r wants to leave something
  setstate_r(reinterpret_cast<char*>(s.state), &s.data);
  return s.data;
}

// The form that initstate() and setstate() return: it begins with the word before the numbers.
char* state_of(const random_data& data) { return reinterpret_cast<char*>(data.state - 1); }

int32_t next_number() {
  int32_t number;
  random_r(&sequence(), &number);
  return number;
}

drand48_data& sequence48() {
  Sequence48& s = g_sequence48;
  if (!g_sequence48_touched.touch()) return s.data;
  if (!s.known) {
    unsigned short other[3] = {};
    memcpy(s.initial, real_seed48(other), sizeof s.initial);
    memcpy(other, s.initial, sizeof other);
    real_seed48(other);
  }
  s.known = true;
  s.data = {};
  seed48_r(s.initial, &s.data);
  return s.data;
}

bool own() { return current_thread() != nullptr; }

}  // namespace

HEDDLE_SHIM int rand() noexcept { return own() ? next_number() : real_rand(); }
HEDDLE_SHIM long random() noexcept { return own() ? next_number() : real_random(); }

HEDDLE_SHIM void srand(unsigned seed) noexcept {
  if (own()) srandom_r(seed, &sequence());
  else real_srand(seed);
}

HEDDLE_SHIM void srandom(unsigned seed) noexcept {
  if (own()) srandom_r(seed, &sequence());
  else real_srandom(seed);
}

HEDDLE_SHIM char* initstate(unsigned seed, char* state, size_t size) noexcept {
  if (!own()) return real_initstate(seed, state, size);
  random_data& data = sequence();
  char* const before = state_of(data);
  return initstate_r(seed, state, size, &data) == 0 ? before : nullptr;
}

HEDDLE_SHIM char* setstate(char* state) noexcept {
  if (!own()) return real_setstate(state);
  random_data& data = sequence();
  char* const before = state_of(data);
  return setstate_r(state, &data) == 0 ? before : nullptr;
}

#define HEDDLE_NUMBER_48(type, name)  \
  HEDDLE_SHIM type name() noexcept {  \
    if (!own()) return real_##name(); \
    type number;                      \
    name##_r(&sequence48(), &number); \
    return number;                    \
  }
HEDDLE_NUMBER_48(double, drand48)
HEDDLE_NUMBER_48(long, lrand48)
HEDDLE_NUMBER_48(long, mrand48)

// The state is the caller's, but the multiplier is shared.
#define HEDDLE_OWN_NUMBER_48(type, name)                 \
  HEDDLE_SHIM type name(unsigned short at[3]) noexcept { \
    if (!own()) return real_##name(at);                  \
    type number;                                         \
    name##_r(at, &sequence48(), &number);                \
    return number;                                       \
  }
HEDDLE_OWN_NUMBER_48(double, erand48)
HEDDLE_OWN_NUMBER_48(long, nrand48)
HEDDLE_OWN_NUMBER_48(long, jrand48)

HEDDLE_SHIM void srand48(long seed) noexcept {
  if (own()) srand48_r(seed, &sequence48());
  else real_srand48(seed);
}

HEDDLE_SHIM unsigned short* seed48(unsigned short at[3]) noexcept {
  if (!own()) return real_seed48(at);
  drand48_data& data = sequence48();
  seed48_r(at, &data);
  return data.__old_x;
}

HEDDLE_SHIM void lcong48(unsigned short parameters[7]) noexcept {
  if (own()) lcong48_r(parameters, &sequence48());
  else real_lcong48(parameters);
}
