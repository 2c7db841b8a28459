#include "harness/cli/target_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "harness/cli/files.h"

namespace heddle::cli {

TargetFile look_at_target(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) throw Failure(kUsage, fmt::format("cannot run {}: {}", path, std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) throw Failure(kUsage, fmt::format("cannot run {}: it is no program", path));
  if (access(path.c_str(), X_OK) != 0) throw Failure(kUsage, fmt::format("cannot run {}: {}", path, std::strerror(errno)));
  const auto bytes = read_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto has = [text](std::string_view words) {
    const std::boyer_moore_horspool_searcher searcher(words.begin(), words.end());
    return std::search(text.begin(), text.end(), searcher) != text.end();
  };
  return {.of_heddle = has("HeddleSanitizer"),
          .for_afl = has("##SIG_AFL_PERSISTENT##"),  // which afl-fuzz looks for, too
          .for_libfuzzer = has("ERROR: libFuzzer:"),
          .has_asan = has("ASAN_OPTIONS")};
}

}  // namespace heddle::cli
