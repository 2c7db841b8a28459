#include "harness/cli/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostOfNoFile = size_t{1} << 26;  // of a device or a pipe: some never end

[[noreturn]] void fail_to_write(const std::string& path, int reason) {
  const bool of_system = reason == ENOSPC || reason == EDQUOT || reason == EIO || reason == EFBIG;
  throw Failure(of_system ? kInternal : kUsage,
                fmt::format("cannot write {}: {}", path, std::strerror(reason)));
}

// 0, or the reason why not everything was written.
int write_all(int file, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  int reason = 0;
  while (size != 0 && reason == 0) {
    const ssize_t n = write(file, at, size);
    if (n < 0) reason = errno == EINTR ? 0 : errno;
    if (n > 0) at += n, size -= static_cast<size_t>(n);
  }
  return close(file) != 0 && reason == 0 ? errno : reason;
}

void write_in_place(const std::string& path, const void* data, size_t size) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail_to_write(path, errno);
  if (const int reason = write_all(file, data, size); reason != 0) fail_to_write(path, reason);
}

}  // namespace

std::vector<uint8_t> read_file(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) throw Failure(kUsage, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  if (S_ISDIR(status.st_mode)) throw Failure(kUsage, fmt::format("cannot read {}: it is a directory", path));
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) throw Failure(kUsage, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  std::vector<uint8_t> bytes;
  uint8_t buffer[65536];
  size_t n;
  bool endless = false;
  while (!endless && (n = std::fread(buffer, 1, sizeof buffer, file)) != 0) {
    bytes.insert(bytes.end(), buffer, buffer + n);
    endless = !S_ISREG(status.st_mode) && bytes.size() > kMostOfNoFile;
  }
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (endless) throw Failure(kUsage, fmt::format("cannot read {}: it is no regular file, and does not end", path));
  if (failed) throw Failure(kUsage, fmt::format("cannot read all of {}", path));
  return bytes;
}

std::string trimmed(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t\r"), end = line.find_last_not_of(" \t\r");
  return std::string(begin == line.npos ? std::string_view() : line.substr(begin, end + 1 - begin));
}

void require_regular(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error) || fs::is_regular_file(path, error)) return;
  throw Failure(kUsage, fmt::format("{} is no regular file: the target reads it more than once", path));
}

void require_output(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty() || path == "-") return;
  std::error_code error;
  const bool there = fs::exists(path, error);
  if (fs::is_directory(path, error)) fail_to_write(path, EISDIR);
  for (const std::string& input : inputs) {
    if (there && fs::equivalent(path, input, error))
      throw Failure(kUsage, fmt::format("{} is also an input: name another file for the output", path));
  }
  const fs::path parent = fs::path(path).parent_path();
  const std::string place = there ? path : parent.empty() ? "." : parent.string();
  if (access(place.c_str(), W_OK) != 0) fail_to_write(path, errno);
}

// Another file takes its place at the end, so the old one stays as it was if the disk is full.
void write_file(const std::string& path, const void* data, size_t size) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool there = fs::exists(status);
  if (there ? !fs::is_regular_file(status) : fs::is_symlink(fs::symlink_status(path, error))) return write_in_place(path, data, size);
  const std::string whole = there ? fs::canonical(path, error).string() : path;
  const std::string part = fmt::format("{}.{}.part", whole, getpid());
  const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && (errno == EACCES || errno == EPERM || errno == ENAMETOOLONG)) return write_in_place(path, data, size);
  if (file < 0) fail_to_write(path, errno);
  if (there) fchmod(file, static_cast<mode_t>(status.permissions()));
  int reason = write_all(file, data, size);
  if (reason == 0 && std::rename(part.c_str(), whole.c_str()) != 0) reason = errno;
  if (reason == 0) return;
  std::remove(part.c_str());
  fail_to_write(path, reason);
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Failure(kInternal, fmt::format("cannot write the output: {}", std::strerror(errno)));
  }
}

ScratchDirectory::ScratchDirectory() {
  std::error_code error;
  const fs::path where = fs::temp_directory_path(error);
  if (error) throw Failure(kUsage, fmt::format("no directory for temporary files (set TMPDIR): {}", error.message()));
  std::string pattern = (where / "heddle-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Failure(kInternal, fmt::format("cannot create a directory like {}: {}", pattern, std::strerror(errno)));
  }
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace heddle::cli
