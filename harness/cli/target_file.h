// Tells whether a file can be run as a fuzz target, and for which engine.
#pragma once

#include <string>

namespace heddle::cli {

struct TargetFile {
  bool of_heddle = false;
  bool for_afl = false;        // AFL++'s driver is linked
  bool for_libfuzzer = false;
  bool has_asan = false;
};

// Throws Failure(kUsage) for a program without heddle's runtime. A file that is no executable of this machine (such as a script that starts
// one) is accepted. If a file cannot be read, starting it will fail.
void require_heddle(const std::string& path);

// Throws Failure(kUsage) if the path does not exist, is no regular file, or is not executable.
TargetFile look_at_target(const std::string& path);

}  // namespace heddle::cli
