#include "harness/driver/rescue.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include <cstring>

#include "analyses/die.h"
#include "base/line.h"
#include "base/raw_syscall.h"

// fuzzer::ComputeSHA1: the same mangled name in clang 14 to 22.
extern "C" __attribute__((weak)) void libfuzzer_compute_sha1(const uint8_t* data, size_t size, uint8_t* out) __asm__(
    "_ZN6fuzzer11ComputeSHA1EPKhmPh");

namespace heddle::driver {
namespace {

constexpr size_t kSha1 = 20;

constinit char path[4096] = "";  // the prefix. The rest is added when needed
constinit bool exact = false;    // path is the whole name
constinit const uint8_t* input = nullptr;
constinit size_t input_size = 0;

void complete_path() {
  uint8_t hash[kSha1];
  libfuzzer_compute_sha1(input, input_size, hash);
  char* out = path + strlen(path);
  memcpy(out, "crash-", 6);
  out += 6;
  for (const uint8_t byte : hash) {
    *out++ = "0123456789abcdef"[byte >> 4];
    *out++ = "0123456789abcdef"[byte & 15];
  }
  *out = 0;
}

void rescue() {
  if (&libfuzzer_compute_sha1 == nullptr || input == nullptr) return;
  if (!exact) complete_path();
  exact = true;
  const long fd = rt::raw_syscall(SYS_openat, static_cast<uintptr_t>(AT_FDCWD), rt::word(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const bool written = fd >= 0 && rt::write_all(static_cast<int>(fd), reinterpret_cast<const char*>(input), input_size);
  rt::print_line(2, written ? "heddle: the input is saved as %s\n" : "heddle: the input could not be written to %s\n", path);
}

void take(const char* argument, const char* flag, bool whole) {
  const size_t size = strlen(flag);
  const size_t room = sizeof path - (6 + 2 * kSha1 + 1);
  if (strncmp(argument, flag, size) != 0 || strlen(argument + size) >= room) return;
  strcpy(path, argument + size);
  exact = whole;
}

}  // namespace

void prepare_rescue(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) take(argv[i], "-artifact_prefix=", false);
  for (int i = 1; i < argc; ++i) take(argv[i], "-exact_artifact_path=", true);
  rt::set_rescue(rescue);
}

void set_rescued_input(const uint8_t* data, size_t size) {
  input = data;
  input_size = size;
}

}  // namespace heddle::driver
