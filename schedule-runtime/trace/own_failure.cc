#include "trace/own_failure.h"

namespace heddle::rt {
namespace {

constinit OwnFailureSink g_sink = {[](uintptr_t) {}, [](uintptr_t, const char*, const char*, unsigned) {},
                                   [](uintptr_t) {}, [](uintptr_t, size_t, size_t) {}, [](uintptr_t, int, const char*) {}, [](uintptr_t, const void*) {},
                                   [](uintptr_t, const void*) {}};

}  // namespace

void set_own_failure_sink(const OwnFailureSink& sink) { g_sink = sink; }
const OwnFailureSink& own_failure_sink() { return g_sink; }

}  // namespace heddle::rt
