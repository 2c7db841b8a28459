#include <algorithm>
#include <cstdlib>

#include "schema/trace_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  heddle::StoredTrace trace, again;
  if (!heddle::decode_trace({data, size}, trace)) return 0;
  heddle::trace_to_text(trace.summary());
  if (!heddle::decode_trace(heddle::encode_trace(trace.summary()), again)) std::abort();
  if (heddle::first_difference(trace.summary(), again.summary()) != heddle::kNoDifference)
    std::abort();
  if (heddle::trace_hash(trace.summary()) != heddle::trace_hash(again.summary())) std::abort();
  return 0;
}

// A trace to start from: random bytes hardly ever get past the verifier.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned) {
  heddle::StoredTrace t;
  if (!heddle::decode_trace({data, size}, t)) {
    t = {};
    t.events.resize(2);
    t.threads.resize(2);
    t.objects.resize(2);
    t.sites.resize(1);
    const auto bytes = heddle::encode_trace(t.summary());
    if (bytes.size() <= max_size) {
      std::copy(bytes.begin(), bytes.end(), data);
      size = bytes.size();
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
