#include "harness/driver/memory_limit.h"

#include <cstdlib>
#include <string_view>

#include "base/asan.h"
#include "intercept/allocation_limit.h"

namespace heddle::driver {
namespace {

// As in libFuzzer, the last option counts.
long flag(int argc, char** argv, std::string_view name, long value) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(name)) value = std::strtol(argv[i] + name.size(), nullptr, 10);
  }
  return value;
}

}  // namespace

void limit_allocations(int argc, char** argv) {
  constexpr long kOfTheProcess = 2048;
  long limit = flag(argc, argv, "-malloc_limit_mb=", 0);
  if (limit == 0 && rt::asan_linked()) limit = flag(argc, argv, "-rss_limit_mb=", kOfTheProcess);
  rt::limit_allocations(limit > 0 ? static_cast<size_t>(limit) : 0);
}

}  // namespace heddle::driver
