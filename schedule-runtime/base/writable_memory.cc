#include "base/writable_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstddef>

#include "base/raw_syscall.h"

namespace heddle::rt {
namespace {

// The beginning of a line of /proc/self/maps: "begin-end rwxp ...".
class Line {
 public:
  // True: the line is complete.
  bool add(char c) {
    if (c == '\n') return true;
    if (field_ < 2) {
      if (c == '-' || c == ' ') {
        ++field_;
      } else {
        bounds_[field_] = bounds_[field_] << 4 | static_cast<uintptr_t>(c <= '9' ? c - '0' : c - 'a' + 10);
      }
    } else if (field_ == 2) {
      static constexpr char kWanted[] = "rw-p";
      ordinary_ = ordinary_ && c == kWanted[at_];
      if (++at_ == 4) field_ = 3;
    }
    return false;
  }

  // How much of the range is in this mapping.
  uintptr_t overlap(uintptr_t begin, uintptr_t end) const {
    const uintptr_t from = bounds_[0] > begin ? bounds_[0] : begin, to = bounds_[1] < end ? bounds_[1] : end;
    return from < to ? to - from : 0;
  }
  bool ordinary() const { return ordinary_; }

 private:
  uintptr_t bounds_[2] = {};
  int field_ = 0, at_ = 0;
  bool ordinary_ = true;
};

}  // namespace

bool privately_writable(uintptr_t begin, uintptr_t end) {
  const long file = raw_syscall(SYS_openat, word(AT_FDCWD), word("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[4096];
  Line line;
  uintptr_t covered = 0;
  for (long got; (got = raw_syscall(SYS_read, static_cast<uintptr_t>(file), word(text), sizeof text)) > 0;) {
    for (long i = 0; i < got; ++i) {
      if (!line.add(text[i])) continue;
      if (line.ordinary()) covered += line.overlap(begin, end);
      line = {};
    }
  }
  raw_syscall(SYS_close, static_cast<uintptr_t>(file));
  return covered == end - begin;
}

bool make_writable(const void* begin, const void* end) {
  constexpr uintptr_t kPage = 4096;
  const uintptr_t low = word(begin) & ~(kPage - 1);
  return raw_syscall(SYS_mprotect, low, ((word(end) + kPage - 1) & ~(kPage - 1)) - low, PROT_READ | PROT_WRITE) == 0;
}

}  // namespace heddle::rt
