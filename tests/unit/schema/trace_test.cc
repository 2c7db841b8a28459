#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>

#include "schema/trace_file.h"
#include "tests/unit/schema/samples.h"

namespace heddle {
namespace {

template <typename T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

RC_GTEST_PROP(Trace, RoundTrips, (uint64_t seed)) {
  const StoredTrace t = Sampler(seed).trace();
  StoredTrace out;
  RC_ASSERT(decode_trace(encode_trace(t.summary()), out));
  RC_ASSERT(same(t.events, out.events) && same(t.threads, out.threads));
  RC_ASSERT(same(t.objects, out.objects) && same(t.sites, out.sites));
  RC_ASSERT(same(t.races, out.races) && same(t.chains, out.chains));
  RC_ASSERT(t.input_hash == out.input_hash && t.seed == out.seed);
  RC_ASSERT(t.flags == out.flags && t.steps == out.steps);
  RC_ASSERT(trace_hash(out.summary()) == trace_hash(t.summary()));
  RC_ASSERT(first_difference(out.summary(), t.summary()) == kNoDifference);
}

RC_GTEST_PROP(Trace, DifferenceIsFound, (uint64_t seed)) {
  Sampler sampler(seed);
  const StoredTrace a = sampler.trace();
  RC_PRE(!a.events.empty());
  StoredTrace b = a;
  const size_t at = sampler.below(a.events.size());
  b.events[at].value ^= 1;
  for (SiteRecord& s : b.sites) s.module_offset += 4096;
  RC_ASSERT(trace_hash(a.summary()) == trace_hash(b.summary()));
  RC_ASSERT(trace_to_text(a.summary()) == trace_to_text(b.summary()));
  b.events[at].occurrence += 1;
  RC_ASSERT(first_difference(a.summary(), b.summary()) == at);
  RC_ASSERT(trace_hash(a.summary()) != trace_hash(b.summary()));
  RC_ASSERT(trace_to_text(a.summary()) != trace_to_text(b.summary()));
  StoredTrace shorter = a;
  shorter.events.pop_back();
  RC_ASSERT(first_difference(a.summary(), shorter.summary()) == shorter.events.size());
}

RC_GTEST_PROP(Trace, AnyBytesAreSafe, (uint64_t seed)) {
  Sampler sampler(seed);
  const auto bytes = encode_trace(sampler.trace().summary());
  for (int i = 0; i < 20; ++i) {
    auto changed = bytes;
    for (int n = 0; n < 3; ++n)
      changed[sampler.below(changed.size())] ^= static_cast<uint8_t>(1u << sampler.below(8));
    if (sampler.below(3) == 0) changed.resize(sampler.below(changed.size()));
    StoredTrace t;
    if (!decode_trace(changed, t)) continue;
    for (const Event& e : t.events) {
      RC_ASSERT(e.thread < t.threads.size() && e.object < t.objects.size());
      RC_ASSERT(e.pc_index < t.sites.size());
      RC_ASSERT(e.partner == kNoEvent || e.partner < t.events.size());
    }
    for (const ThreadRecord& r : t.threads) RC_ASSERT(r.parent < t.threads.size());
    trace_to_text(t.summary());
  }
}

TEST(Trace, RefusesAnEventOfNoThread) {
  StoredTrace t;
  t.events.resize(1);
  StoredTrace out;
  EXPECT_FALSE(decode_trace(encode_trace(t.summary()), out));
}

}  // namespace
}  // namespace heddle
