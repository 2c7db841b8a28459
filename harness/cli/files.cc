#include "harness/cli/files.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace heddle::cli {

std::vector<uint8_t> read_file(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) throw Failure(kUsage, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  if (S_ISDIR(status.st_mode)) throw Failure(kUsage, fmt::format("cannot read {}: it is a directory", path));
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) throw Failure(kUsage, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  std::vector<uint8_t> bytes;
  uint8_t buffer[65536];
  size_t n;
  while ((n = std::fread(buffer, 1, sizeof buffer, file)) != 0) bytes.insert(bytes.end(), buffer, buffer + n);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) throw Failure(kUsage, fmt::format("cannot read all of {}", path));
  return bytes;
}

std::string trimmed(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t\r"), end = line.find_last_not_of(" \t\r");
  return std::string(begin == line.npos ? std::string_view() : line.substr(begin, end + 1 - begin));
}

void write_file(const std::string& path, const void* data, size_t size) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) throw Failure(kInternal, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  const bool written = std::fwrite(data, 1, size, file) == size;
  const int reason = errno;
  if (std::fclose(file) != 0 || !written) {
    const int why = written ? errno : reason;
    struct stat status;
    if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) std::remove(path.c_str());
    throw Failure(kInternal, fmt::format("cannot write {}: {}", path, std::strerror(why)));
  }
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Failure(kInternal, fmt::format("cannot write the output: {}", std::strerror(errno)));
  }
}

ScratchDirectory::ScratchDirectory() {
  std::error_code error;
  const std::filesystem::path where = std::filesystem::temp_directory_path(error);
  if (error) throw Failure(kUsage, fmt::format("no directory for temporary files (set TMPDIR): {}", error.message()));
  std::string pattern = (where / "heddle-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Failure(kInternal, fmt::format("cannot create a directory like {}: {}", pattern, std::strerror(errno)));
  }
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace heddle::cli
