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

// Throws Failure(kUsage) for a program without heddle's runtime. A file that is no program of this machine (such as a script that starts one) is
// accepted. A file that cannot be read fails when it is started.
void require_heddle(const std::string& path);

// Throws Failure(kUsage) if the path does not exist, is no file or is not executable.
TargetFile look_at_target(const std::string& path);

}  // namespace heddle::cli
