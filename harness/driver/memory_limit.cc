#include "harness/driver/memory_limit.h"

#include <cstdlib>
#include <string_view>

#include "base/asan.h"
#include "harness/driver/engine_flag.h"
#include "intercept/allocation_limit.h"

namespace heddle::driver {
namespace {

long megabytes(int argc, char** argv, std::string_view name, long by_default) {
  const auto value = engine_flag(argc, argv, name);
  return value ? std::strtol(value->data(), nullptr, 10) : by_default;  // the text ends where the argument ends
}

}  // namespace

void limit_allocations(int argc, char** argv) {
  constexpr long kOfTheProcess = 2048;
  long limit = megabytes(argc, argv, "-malloc_limit_mb=", 0);
  if (limit == 0 && rt::asan_linked()) limit = megabytes(argc, argv, "-rss_limit_mb=", kOfTheProcess);
  rt::limit_allocations(limit > 0 ? static_cast<size_t>(limit) : 0);
}

}  // namespace heddle::driver
