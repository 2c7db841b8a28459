// What a file is that is to be fuzzed, told by the texts in it.
#pragma once

#include <string>

namespace heddle::cli {

struct TargetFile {
  bool of_heddle = false;
  bool for_afl = false;        // AFL++'s driver is linked
  bool for_libfuzzer = false;
  bool has_asan = false;
};

// Throws Failure(kUsage) for what is absent, no file or not executable.
TargetFile look_at_target(const std::string& path);

}  // namespace heddle::cli
