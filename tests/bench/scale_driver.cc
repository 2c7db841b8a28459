// Times executions of scale.cc without an engine: SHAPE THREADS OPERATIONS STRATEGY SECONDS on the command line, and prints
// executions, nanoseconds per execution. All state is on the stack: variables of the executable are put back between executions.
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/kernel_clock.h"
#include "schema/codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc != 6) {
    std::fprintf(stderr, "usage: %s SHAPE THREADS OPERATIONS STRATEGY SECONDS\n", (*argv)[0]);
    std::_Exit(2);
  }
  auto number = [&](int i) { return static_cast<uint32_t>(std::strtoul((*argv)[i], nullptr, 10)); };
  heddle::Schedule schedule;
  schedule.payload.resize(9);
  schedule.payload[0] = static_cast<uint8_t>(number(1));
  const uint32_t sizes[2] = {number(2), number(3)};
  std::memcpy(&schedule.payload[1], sizes, sizeof sizes);
  schedule.strategy = static_cast<heddle::StrategyId>(number(4));
  const double limit = std::atof((*argv)[5]);

  std::vector<std::vector<uint8_t>> inputs;
  for (uint64_t seed = 1; seed <= 64; ++seed) {
    schedule.seed = seed * 0x9E3779B97F4A7C15ull;
    inputs.push_back(heddle::encode_schedule(schedule));
  }
  // The program's clocks are virtual here.
  const auto now = [] { return heddle::rt::kernel_clock(CLOCK_MONOTONIC); };
  auto run = [&](size_t n) { LLVMFuzzerTestOneInput(inputs[n % 64].data(), inputs[n % 64].size()); };
  for (size_t n = 0; n < 3; ++n) run(n);
  const uint64_t start = now();
  size_t runs = 0;
  double seconds = 0;
  while (seconds < limit) {
    run(runs++);
    if (runs < 16 || runs % 16 == 0) seconds = static_cast<double>(now() - start) / 1e9;
  }
  std::printf("%zu %.1f\n", runs, seconds * 1e9 / static_cast<double>(runs));
  std::fflush(nullptr);
  std::_Exit(0);
}
