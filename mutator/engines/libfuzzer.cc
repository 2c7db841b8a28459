// libFuzzer's side of the mutator. libFuzzer's own symbol names (LLVMFuzzerCustomMutator, ...) belong to the harness, which also wraps the
// user's functions of these names. The harness calls these two.
#include <cstddef>
#include <cstdint>

#include "mutator/mutator.h"

extern "C" {

// Weak: absent under other engines, a stub that returns 0 in AFL++'s driver.
[[gnu::weak]] size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

size_t heddle_libfuzzer_mutate(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  heddle::mutator::Mutator& m = heddle::mutator::process_mutator();
  m.set_byte_mutator(LLVMFuzzerMutate);
  return m.mutate(data, size, max_size, seed);
}

size_t heddle_libfuzzer_cross_over(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size, uint8_t* out,
                                   size_t max_out, unsigned seed) {
  return heddle::mutator::process_mutator().cross_over(a, a_size, b, b_size, out, max_out, seed);
}

}  // extern "C"
