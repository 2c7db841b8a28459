// The Annotate* family of dynamic_annotations.h, which Abseil, gperftools, Chromium and LLVM call, and WebKit's WTFAnnotate* variants.
// Their headers explain each one. Annotations for other tools do nothing here.
//
// Weak: a program may have its own empty definitions.
#include <cstring>

#include "heap/shared_views.h"
#include "intercept/plain_access.h"
#include "intercept/real.h"
#include "primitives/annotation.h"
#include "races/race_detector.h"

using namespace heddle::rt;

#define HEDDLE_ANNOTATION HEDDLE_SHIM __attribute__((weak))

namespace {

void benign(const volatile void* address, size_t size) {
  race_detector_benign(reinterpret_cast<uintptr_t>(address), size, current_thread() == nullptr);
}

void release(uintptr_t address, Place place) {
  if (current_thread() != nullptr) primitives::order_release(address, place);
}
void acquire(uintptr_t address, Place place) {
  if (current_thread() != nullptr) primitives::order_acquire(address, place);
}
void ignore(uint8_t what, bool begins) {
  Thread* t = current_thread();
  if (t == nullptr) return;
  if (begins) t->ignored.begin(what);
  else t->ignored.end(what);
}

}  // namespace

#define HEDDLE_NOTHING(name, ...) HEDDLE_ANNOTATION void name(const char*, int, ##__VA_ARGS__) {}
#define HEDDLE_ORDER(name, direction, ...)                                                    \
  HEDDLE_ANNOTATION void name(const char*, int, uintptr_t address, ##__VA_ARGS__) { \
    direction(address, HEDDLE_HERE);                                                          \
  }
#define HEDDLE_IGNORE(name, what)                                                             \
  HEDDLE_ANNOTATION void AnnotateIgnore##name##Begin(const char*, int) { ignore(what, true); } \
  HEDDLE_ANNOTATION void AnnotateIgnore##name##End(const char*, int) { ignore(what, false); }

HEDDLE_ORDER(AnnotateHappensBefore, release)
HEDDLE_ORDER(AnnotateHappensAfter, acquire)
HEDDLE_ORDER(WTFAnnotateHappensBefore, release)
HEDDLE_ORDER(WTFAnnotateHappensAfter, acquire)
HEDDLE_ORDER(AnnotateCondVarSignal, release)
HEDDLE_ORDER(AnnotateCondVarSignalAll, release)
HEDDLE_ORDER(AnnotateCondVarWait, acquire, uintptr_t)
HEDDLE_ORDER(AnnotatePCQPut, release)
HEDDLE_ORDER(AnnotatePCQGet, acquire)
HEDDLE_NOTHING(AnnotatePCQCreate, uintptr_t)
HEDDLE_NOTHING(AnnotatePCQDestroy, uintptr_t)

HEDDLE_IGNORE(Reads, kIgnoreReads)
HEDDLE_IGNORE(Writes, kIgnoreWrites)
HEDDLE_IGNORE(Sync, kIgnoreOrder)

HEDDLE_ANNOTATION void AnnotateRWLockCreate(const char*, int, uintptr_t lock) {
  if (current_thread() != nullptr) primitives::lock_create(lock, primitives::kNotStatic, HEDDLE_HERE);
}
HEDDLE_ANNOTATION void AnnotateRWLockCreateStatic(const char*, int, uintptr_t lock) {
  if (current_thread() != nullptr) primitives::lock_create(lock, primitives::kLinkerInitialised, HEDDLE_HERE);
}
HEDDLE_ANNOTATION void AnnotateRWLockDestroy(const char*, int, uintptr_t lock) {
  if (current_thread() == nullptr || !primitives::lock_destroy(lock, 0, HEDDLE_HERE)) return;
  plain_access(*current_thread(), lock, 1, true, HEDDLE_HERE);
}
HEDDLE_ANNOTATION void AnnotateRWLockAcquired(const char*, int, uintptr_t lock, uintptr_t write) {
  if (current_thread() != nullptr) primitives::lock_acquired(lock, write != 0, HEDDLE_HERE);
}
HEDDLE_ANNOTATION void AnnotateRWLockReleased(const char*, int, uintptr_t lock, uintptr_t write) {
  if (current_thread() != nullptr) primitives::lock_released(lock, write != 0, HEDDLE_HERE);
}

HEDDLE_ANNOTATION void AnnotateBenignRaceSized(const char*, int, uintptr_t address, uintptr_t size, const char*) {
  benign(reinterpret_cast<void*>(address), size);
}
HEDDLE_ANNOTATION void WTFAnnotateBenignRaceSized(const char*, int, uintptr_t address, uintptr_t size, const char*) {
  benign(reinterpret_cast<void*>(address), size);
}
HEDDLE_ANNOTATION void AnnotateBenignRace(const char*, int, uintptr_t address, const char*) {
  benign(reinterpret_cast<void*>(address), 1);
}
// A race is expected there. Whether it occurs is not checked.
HEDDLE_ANNOTATION void AnnotateExpectRace(const char*, int, uintptr_t address, const char*) {
  benign(reinterpret_cast<void*>(address), 1);
}
HEDDLE_NOTHING(AnnotateFlushExpectedRaces)

// For example, a block taken from a free list.
HEDDLE_ANNOTATION void AnnotateNewMemory(const char*, int, uintptr_t address, uintptr_t size) {
  if (current_thread() != nullptr) shared_views().each_home(address, size, race_detector_forget);
}

HEDDLE_NOTHING(AnnotateMemoryIsInitialized, uintptr_t, uintptr_t)
HEDDLE_NOTHING(AnnotateMemoryIsUninitialized, uintptr_t, uintptr_t)
HEDDLE_NOTHING(AnnotatePublishMemoryRange, uintptr_t, uintptr_t)
HEDDLE_NOTHING(AnnotateUnpublishMemoryRange, uintptr_t, uintptr_t)
HEDDLE_NOTHING(AnnotateMutexIsUsedAsCondVar, uintptr_t)
HEDDLE_NOTHING(AnnotateMutexIsNotPHB, uintptr_t)
HEDDLE_NOTHING(AnnotateTraceMemory, uintptr_t)
HEDDLE_NOTHING(AnnotateThreadName, const char*)
HEDDLE_NOTHING(AnnotateEnableRaceDetection, int)
HEDDLE_NOTHING(AnnotateFlushState)
HEDDLE_NOTHING(AnnotateNoOp, uintptr_t)

HEDDLE_ANNOTATION int RunningOnValgrind() { return 0; }
HEDDLE_ANNOTATION double ValgrindSlowdown() { return 10; }  // what ThreadSanitizer says
HEDDLE_ANNOTATION const char* ThreadSanitizerQuery(const char* query) {
  return strcmp(query, "pure_happens_before") == 0 ? "1" : "0";
}
