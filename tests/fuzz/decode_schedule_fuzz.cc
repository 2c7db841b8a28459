#include <algorithm>
#include <cstdlib>

#include "schema/codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  heddle::Schedule first, second;
  heddle::decode_schedule({data, size}, first);
  const auto bytes = heddle::encode_schedule(first);
  if (!heddle::decode_schedule(bytes, second) || first != second) std::abort();
  if (heddle::encode_schedule(second) != bytes) std::abort();
  return 0;
}

// A schedule to start from: random bytes hardly ever get past the verifier.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned) {
  heddle::Schedule s;
  if (!heddle::decode_schedule({data, size}, s)) {
    s = {};
    s.seed = 5;
    s.elements.resize(2);
    s.reads_from.resize(1);
    s.visible_plain = {1, 2, 3};
    s.payload = {1, 2};
    const auto bytes = heddle::encode_schedule(s);
    if (bytes.size() <= max_size) {
      std::copy(bytes.begin(), bytes.end(), data);
      size = bytes.size();
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
