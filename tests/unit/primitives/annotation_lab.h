// Runs bodies that announce their own synchronisation, and counts races. The accesses are announced by hand, as the compiler would.
#pragma once

#include <sanitizer/tsan_interface.h>

#include <map>

#include "controlled_run.h"
#include "races/race_detector.h"

extern "C" {
void __tsan_read4(void*);
void __tsan_write4(void*);
int __tsan_atomic32_exchange(volatile int*, int, int);
int __tsan_atomic32_load(const volatile int*, int);
int __tsan_atomic32_compare_exchange_val(volatile int*, int, int, int, int);
void __tsan_atomic32_store(volatile int*, int, int);
void __tsan_ignore_thread_begin();
void __tsan_ignore_thread_end();
void __tsan_testonly_barrier_init(unsigned long*, unsigned);
void __tsan_testonly_barrier_wait(unsigned long*);
void AnnotateHappensBefore(const char*, int, uintptr_t);
void AnnotateHappensAfter(const char*, int, uintptr_t);
void AnnotateBenignRaceSized(const char*, int, uintptr_t, uintptr_t, const char*);
void AnnotateNewMemory(const char*, int, uintptr_t, uintptr_t);
void AnnotateIgnoreReadsBegin(const char*, int);
void AnnotateIgnoreReadsEnd(const char*, int);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
void AnnotateIgnoreSyncBegin(const char*, int);
void AnnotateIgnoreSyncEnd(const char*, int);
void AnnotateRWLockCreate(const char*, int, uintptr_t);
void AnnotateRWLockAcquired(const char*, int, uintptr_t, uintptr_t);
void AnnotateRWLockReleased(const char*, int, uintptr_t, uintptr_t);
}
#define HERE __FILE__, __LINE__

namespace heddle::test {

using rt::FindingType;

inline uintptr_t number(const void* p) { return reinterpret_cast<uintptr_t>(p); }

// Races reported, and pairs published, in runs with several seeds.
struct Races {
  int reported = 0, published = 0, unfinished = 0;
  std::map<FindingType, int> findings;
};
inline int g_reported;

inline Races races(const std::function<void()>& body, int seeds = 50) {
  Races all;
  rt::set_race_sink([](const rt::RaceReport&) { ++g_reported; });
  for (int seed = 1; seed <= seeds; ++seed) {
    g_reported = 0;
    const Result r = run_seed(seed, body);
    uint32_t pairs = 0;
    rt::race_detector_pairs(pairs);
    all.reported += g_reported != 0;
    all.published += pairs != 0;
    all.unfinished += !r.finished();
    for (const FindingType f : r.findings) ++all.findings[f];
  }
  rt::set_race_sink(nullptr);
  return all;
}

// A relaxed flag: the hand-over works, and orders nothing.
struct Relaxed {
  int flag = 0;
  int data = 0;

  void give() { __tsan_atomic32_store(&flag, 1, __ATOMIC_RELAXED); }
  bool given() { return __tsan_atomic32_load(&flag, __ATOMIC_RELAXED) != 0; }
};

}  // namespace heddle::test
