// The program's own half of a fuzz target, reached through the linker's --wrap, and the driver's seams.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
// Null unless the program defines them. Without a harness, main() is the body (whole_program.h).
__attribute__((weak)) int __real_LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
__attribute__((weak)) int __real_main(int argc, char** argv, char** environment);
__attribute__((weak)) int __real_LLVMFuzzerInitialize(int* argc, char*** argv);
__attribute__((weak)) size_t __real_LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                                            unsigned int seed);
__attribute__((weak)) size_t __real_LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                                              const uint8_t* data2, size_t size2, uint8_t* out,
                                                              size_t max_out_size, unsigned int seed);
}

namespace heddle::driver {

// What comes before the first input, once: options, the control certificate, the figures at the end.
void start();

// Hands HEDDLE_OPTIONS=mode=... to the mutator; an unknown mode ends the process with exit code 2.
void choose_mode();

// Proves that instrumentation and interception act in this binary, and says so in one line; ends the process with exit code 1
// when they do not (with verify=0: warns).
void verify_control();
// What that runs under control; it is nobody's code but ours.
int control_probe(const uint8_t* data, size_t size);

// The program's own mutators, applied to the payload of a schedule and to nothing else. 0: nothing
// was done (there is none, or the result does not fit), and the buffer is as it was.
size_t mutate_payload(uint8_t* data, size_t size, size_t max_size, unsigned int seed);
size_t cross_over_payload(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2, uint8_t* out,
                          size_t max_out_size, unsigned int seed);

}  // namespace heddle::driver
