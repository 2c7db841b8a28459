// What a file is that is to be run as a fuzz target.
#pragma once

#include <string>

namespace heddle::cli {

struct TargetFile {
  bool of_heddle = false;
  bool for_afl = false;        // AFL++'s driver is linked
  bool for_libfuzzer = false;
  bool has_asan = false;
};

// Throws Failure(kUsage) for a program without heddle's runtime. What is no program of this machine (a script that starts one) is taken at its word, and
// what cannot be read is left to whoever starts it.
void require_heddle(const std::string& path);

// Throws Failure(kUsage) for what is absent, no file or not executable.
TargetFile look_at_target(const std::string& path);

}  // namespace heddle::cli
