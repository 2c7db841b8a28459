#include "feedback/sink.h"

#include "base/afl.h"
#include "feedback/afl_map.h"
#include "feedback/extra_counters.h"

namespace heddle::rt {
namespace {
constinit Sink g_sink = nullptr;
}

void set_sink(Sink sink) { g_sink = sink; }

void write_features(const Feature* features, uint32_t count) {
  if (__builtin_expect(g_sink != nullptr, 0)) return g_sink(features, count);
  if (afl_linked()) return write_afl_map(features, count);
  write_extra_counters(features, count);
}

}  // namespace heddle::rt
