#include "harness/driver/saved_input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cstdio>
#include <cstring>
#include <string_view>

#include "analyses/die.h"
#include "analyses/report/next_steps.h"
#include "base/raw_syscall.h"
#include "harness/driver/engine_flag.h"

// fuzzer::ComputeSHA1: the same mangled name in clang 14 to 22.
extern "C" __attribute__((weak)) void libfuzzer_compute_sha1(const uint8_t* data, size_t size, uint8_t* out) __asm__(
    "_ZN6fuzzer11ComputeSHA1EPKhmPh");

// harness/driver/standalone_main.cc
extern "C" __attribute__((weak)) const char heddle_only_runs_files;

namespace heddle::driver {
namespace {

constexpr size_t kSha1 = 20;

constinit int argument_count = 0;
constinit char** arguments = nullptr;
constinit CurrentInput input = {nullptr, 0};
constinit char path[4096] = "";

bool names_file(const char* argument) { return argument[0] != '-'; }

bool is_regular(const char* file) {
  struct stat status = {};
  const long result = rt::raw_syscall(SYS_newfstatat, static_cast<uintptr_t>(AT_FDCWD), rt::word(file), rt::word(&status), 0);
  return result == 0 && S_ISREG(status.st_mode);
}

bool has_input(const char* file) {
  const long fd = rt::raw_syscall(SYS_openat, static_cast<uintptr_t>(AT_FDCWD), rt::word(file), O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return false;
  uint8_t part[512];
  size_t equal = 0;
  long n;
  while ((n = rt::raw_syscall(SYS_read, static_cast<uintptr_t>(fd), rt::word(part), sizeof part)) > 0) {
    const auto got = static_cast<size_t>(n);
    if (got > input.size - equal || std::memcmp(part, input.data + equal, got) != 0) break;
    equal += got;
  }
  rt::raw_syscall(SYS_close, static_cast<uintptr_t>(fd));
  return n == 0 && equal == input.size;
}

}  // namespace

bool runs_files() {
  if (&heddle_only_runs_files != nullptr) return true;
  if (!rt::libfuzzer_linked()) return false;
  bool any = false;
  for (int i = 1; i < argument_count; ++i) {
    if (!names_file(arguments[i])) continue;
    if (!is_regular(arguments[i])) return false;
    any = true;
  }
  for (const char* flag : {"-merge=", "-minimize_crash=", "-minimize_crash_internal_step=", "-cleanse_crash=", "-set_cover_merge="}) {
    if (engine_flag(argument_count, arguments, flag).value_or("0") != "0") return false;
  }
  return any;
}

void prepare_saved_input(int argc, char** argv) {
  argument_count = argc;
  arguments = argv;
  rt::set_saved_input(saved_input_path, rt::libfuzzer_linked() && !runs_files());
}

void set_current_input(const uint8_t* data, size_t size) { input = {data, size}; }
CurrentInput current_input() { return input; }

const char* artifact_path(const char* kind) {
  if (&libfuzzer_compute_sha1 == nullptr || input.data == nullptr) return nullptr;
  const std::string_view exact = engine_flag(argument_count, arguments, "-exact_artifact_path=").value_or("");
  const std::string_view prefix = exact.empty() ? engine_flag(argument_count, arguments, "-artifact_prefix=").value_or("./") : exact;
  const size_t n = prefix.size() + std::strlen(kind);
  if (n + 1 + 2 * kSha1 + 1 > sizeof path) return nullptr;
  if (!exact.empty()) {
    std::snprintf(path, sizeof path, "%.*s", static_cast<int>(exact.size()), exact.data());
    return path;
  }
  std::snprintf(path, sizeof path, "%.*s%s-", static_cast<int>(prefix.size()), prefix.data(), kind);
  uint8_t hash[kSha1];
  libfuzzer_compute_sha1(input.data, input.size, hash);
  char* out = path + n + 1;
  for (const uint8_t byte : hash) {
    *out++ = "0123456789abcdef"[byte >> 4];
    *out++ = "0123456789abcdef"[byte & 15];
  }
  *out = 0;
  return path;
}

const char* saved_input_path(const char* kind) {
  if (input.data == nullptr || (rt::libfuzzer_linked() && !runs_files())) return artifact_path(kind);
  for (int i = 1; i < argument_count; ++i) {
    if (names_file(arguments[i]) && has_input(arguments[i])) return arguments[i];
  }
  return nullptr;
}

}  // namespace heddle::driver
