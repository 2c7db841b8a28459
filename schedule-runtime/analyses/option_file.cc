#include "analyses/option_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

#include "base/exit_codes.h"
#include "base/line.h"
#include "base/path.h"
#include "base/reserved_array.h"

namespace heddle::rt {
namespace {

// As the sanitizers do: where the process is, else beside the program.
int open_file(const char* path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  const char* const executable = executable_path();
  if (fd >= 0 || path[0] == '/' || executable == nullptr) return fd;
  char beside[PATH_MAX * 2];
  snprintf(beside, sizeof beside, "%.*s%s", static_cast<int>(base_name(executable) - executable), executable, path);
  return open(beside, O_RDONLY | O_CLOEXEC);
}

}  // namespace

std::string_view read_option_file(const char* option, const char* path) {
  constexpr size_t kMostBytes = 16 << 20;
  const int fd = open_file(path);
  char* const text = static_cast<char*>(reserve_memory(kMostBytes));
  size_t got = 0;
  long n = -1;
  while (fd >= 0 && got < kMostBytes && (n = syscall(SYS_read, fd, text + got, kMostBytes - got)) > 0) got += static_cast<size_t>(n);
  if (n == 0) {
    syscall(SYS_close, fd);
    return {text, got};
  }
  print_line(2, "heddle: %s: cannot read the file '%s'\n", option, path);
  _exit(kUsageExit);
}

void refuse_option_file(const char* option, const char* path, size_t line, const char* why, std::string_view text) {
  print_line(2, "heddle: %s: %s:%zu: %s: '%.*s'\n", option, path, line, why, static_cast<int>(text.size()), text.data());
  _exit(kUsageExit);
}

std::string_view next_line(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!line.empty() && blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && blank(line.back())) line.remove_suffix(1);
  return line;
}

}  // namespace heddle::rt
