// The functions of the program in a fuzz target, reached through the linker's --wrap, and the interfaces inside the driver.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schema/options_text.h"

extern "C" {
// Null if the program does not define them. Without a harness, main() is the body (whole_program.h).
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

// Prepares, once, before the first input: options, the control certificate, the statistics at the end.
void start();

// Passes the mode and what new inputs are to say (wanted_run) from HEDDLE_OPTIONS to the mutator. An unknown word ends the process with exit code 2.
void choose_mode();
// What the mutator writes into every schedule.
WantedRun wanted_run();

// Checks that instrumentation and interception work in this binary, and prints one line. If they do not, it ends the process with
// exit code 1 (with verify=0 it only warns).
void verify_control();
// The probe that verify_control runs under control. It is heddle's own code.
int control_probe(const uint8_t* data, size_t size);

// The program's own mutators. They change only the payload of a schedule. Return 0 if nothing was done (there is no mutator, or the result
// does not fit). Then the buffer is unchanged.
size_t mutate_payload(uint8_t* data, size_t size, size_t max_size, unsigned int seed);
size_t cross_over_payload(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2, uint8_t* out,
                          size_t max_out_size, unsigned int seed);

}  // namespace heddle::driver
