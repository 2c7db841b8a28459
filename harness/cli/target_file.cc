#include "harness/cli/target_file.h"

#include <elf.h>
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
namespace {

bool is_elf(const std::vector<uint8_t>& file) { return file.size() >= sizeof(Elf64_Ehdr) && std::memcmp(file.data(), ELFMAG, SELFMAG) == 0; }

// REQUIRES: is_elf(file).
bool has_section(const std::vector<uint8_t>& file, std::string_view name) {
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return false;
  const auto section = [&](size_t index, Elf64_Shdr& out) {
    const size_t at = header.e_shoff + index * sizeof out;
    if (header.e_shoff > file.size() || at > file.size() - sizeof out) return false;
    std::memcpy(&out, file.data() + at, sizeof out);
    return true;
  };
  Elf64_Shdr names, one;
  if (!section(header.e_shstrndx, names)) return false;
  for (size_t i = 0; i < header.e_shnum && section(i, one); ++i) {
    const size_t at = names.sh_offset + one.sh_name;
    if (at < file.size() && file.size() - at > name.size() && std::memcmp(file.data() + at, name.data(), name.size()) == 0 &&
        file[at + name.size()] == 0) {
      return true;
    }
  }
  return false;
}

// The section of the runtime's own variables (harness/link/combine.ld). strip keeps it, and no other file has it. A text could occur
// anywhere.
constexpr std::string_view kSection = "heddle_data";

}  // namespace

void require_heddle(const std::string& path) {
  if (access(path.c_str(), R_OK) != 0) return;
  const std::vector<uint8_t> bytes = read_file(path);
  if (!is_elf(bytes) || has_section(bytes, kSection)) return;
  throw Failure(kUsage, fmt::format("{} is not a heddle fuzz target: it does not contain heddle's runtime (build it with heddle-clang++ or heddle_add_fuzz_target)", path));
}

TargetFile look_at_target(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) throw Failure(kUsage, fmt::format("cannot run {}: {}", path, std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) throw Failure(kUsage, fmt::format("cannot run {}: not a program", path));
  if (access(path.c_str(), X_OK) != 0) throw Failure(kUsage, fmt::format("cannot run {}: {}", path, std::strerror(errno)));
  const auto bytes = read_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto has = [text](std::string_view words) {
    const std::boyer_moore_horspool_searcher searcher(words.begin(), words.end());
    return std::search(text.begin(), text.end(), searcher) != text.end();
  };
  return {.of_heddle = is_elf(bytes) && has_section(bytes, kSection),
          .for_afl = has("##SIG_AFL_PERSISTENT##"),  // which afl-fuzz looks for, too
          .for_libfuzzer = has("ERROR: libFuzzer:"),
          .has_asan = has("ASAN_OPTIONS")};
}

}  // namespace heddle::cli
