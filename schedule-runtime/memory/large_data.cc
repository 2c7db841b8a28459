#include "memory/large_data.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/asan.h"
#include "base/raw_syscall.h"
#include "base/writable_memory.h"

namespace heddle::rt::large_data {
namespace {

constexpr size_t kMostParts = 32;
// A page that is copied anew costs as much as comparing so many, about.
constexpr size_t kComparedForACopy = 8;
constexpr size_t kMostPatience = 1 << 20;

struct Tracked {
  Part live;
  const unsigned char* saved;  // all of the file
  bool asked;                  // the kernel is; else everything is compared
  size_t in_vain;              // pages that were compared since some were last given up, and had not changed
  size_t patience;
  size_t given_up;  // the last time, if that was just before this execution
};
constinit Tracked g_parts[kMostParts] = {};
constinit size_t g_count = 0;
constinit size_t g_compared = 0;

constinit uint64_t g_entries[512] = {};  // of /proc/self/pagemap

// The process may have been forked since the last time, and its descriptors are the program's to close.
class PageMap {
 public:
  PageMap() : file_(raw_syscall(SYS_openat, word(AT_FDCWD), word("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC)) {}
  ~PageMap() {
    if (file_ >= 0) raw_syscall(SYS_close, static_cast<uintptr_t>(file_));
  }
  PageMap(const PageMap&) = delete;
  PageMap& operator=(const PageMap&) = delete;

  // Into g_entries.
  bool read(const unsigned char* from, size_t pages) const {
    const size_t bytes = pages * sizeof(uint64_t);
    return raw_syscall(SYS_pread64, static_cast<uintptr_t>(file_), word(g_entries), bytes, word(from) / kPage * sizeof(uint64_t)) ==
           static_cast<long>(bytes);
  }

  // Present or swapped out, and not a page of the file.
  static bool written(uint64_t entry) {
    constexpr uint64_t kThere = uint64_t{3} << 62, kOfAFile = uint64_t{1} << 61;
    return (entry & kThere) != 0 && (entry & kOfAFile) == 0;
  }

 private:
  long file_;
};

// A file must not grow beyond the limit, which would end the process.
long make_file(size_t size) {
  rlimit limit;
  if (raw_syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, word(&limit)) != 0 || limit.rlim_cur < size) return -1;
  const long file = raw_syscall(SYS_memfd_create, word("heddle_data"), MFD_CLOEXEC);
  if (file < 0 || raw_syscall(SYS_ftruncate, static_cast<uintptr_t>(file), size) == 0) return file;
  raw_syscall(SYS_close, static_cast<uintptr_t>(file));
  return -1;
}

unsigned char* map_file(long file, unsigned char* at, size_t size, int flags) {
  const long p = raw_syscall(SYS_mmap, word(at), size, PROT_READ | PROT_WRITE, word(flags), static_cast<uintptr_t>(file), 0);
  return p < 0 ? nullptr : reinterpret_cast<unsigned char*>(p);
}

// What is zero stays a hole of the file: large arrays are, mostly.
void save(unsigned char* saved, const unsigned char* live, size_t size) {
  constexpr size_t kWords = kPage / sizeof(uint64_t);
  for (size_t at = 0; at < size; at += kPage) {
    const auto* from = reinterpret_cast<const uint64_t*>(live + at);
    auto* to = reinterpret_cast<volatile uint64_t*>(saved + at);  // or it would become a call of memcpy
    uint64_t any = 0;
    for (size_t i = 0; i < kWords; ++i) any |= from[i];
    for (size_t i = 0; any != 0 && i < kWords; ++i) to[i] = from[i];
  }
}

// Some who stand in for a kernel answer otherwise than Linux does.
bool answers_as_expected(unsigned char* page) {
  const PageMap map;
  auto* const byte = reinterpret_cast<volatile unsigned char*>(page);
  const unsigned char value = *byte;
  if (!map.read(page, 1) || PageMap::written(g_entries[0])) return false;
  *byte = value;
  return map.read(page, 1) && PageMap::written(g_entries[0]);
}

size_t compare_all(const Tracked& part, PutBack put_back) {
  g_compared += part.live.size / kPage;
  return put_back(part.live.begin, part.saved, part.live.size);
}

// To give pages up pays if they do not come back at once: if most of them do, it is tried half as often.
void give_up_some(Tracked& part, size_t compared, size_t changed) {
  if (part.given_up != 0) {
    part.patience = compared >= part.given_up / 2 && part.patience < kMostPatience ? 2 * part.patience : kComparedForACopy;
    part.given_up = 0;
  }
  part.in_vain += compared - changed;
  if (part.in_vain <= part.patience * compared) return;
  part.in_vain = 0;
  // Refused where the memory is locked: the pages will be compared.
  if (raw_syscall(SYS_madvise, word(part.live.begin), part.live.size, MADV_DONTNEED) == 0) part.given_up = compared;
}

size_t restore_part(Tracked& part, const PageMap& map, PutBack put_back) {
  if (!part.asked) return compare_all(part, put_back);
  constexpr size_t kAtOnce = sizeof g_entries / sizeof *g_entries;
  const size_t pages = part.live.size / kPage;
  size_t bytes = 0, compared = 0, changed = 0;
  for (size_t first = 0; first < pages; first += kAtOnce) {
    const size_t count = pages - first < kAtOnce ? pages - first : kAtOnce;
    if (!map.read(part.live.begin + first * kPage, count)) return bytes + compare_all(part, put_back);
    for (size_t i = 0; i < count; ++i) {
      if (__builtin_expect(!PageMap::written(g_entries[i]), 1)) continue;
      const size_t offset = (first + i) * kPage;
      const size_t written = put_back(part.live.begin + offset, part.saved + offset, kPage);
      bytes += written;
      ++compared;
      if (written != 0) ++changed;
    }
  }
  g_compared += compared;
  give_up_some(part, compared, changed);
  return bytes;
}

}  // namespace

Part take(unsigned char* begin, size_t size) {
  if (size < kLeast || g_count == kMostParts || asan_linked() || getauxval(AT_PAGESZ) != kPage) return {};
  const uintptr_t first = (word(begin) + kPage - 1) & ~(kPage - 1), end = (word(begin) + size) & ~(kPage - 1);
  if (end < first + kLeast || !privately_writable(first, end)) return {};
  const Part part{reinterpret_cast<unsigned char*>(first), end - first};
  const long file = make_file(part.size);
  if (file < 0) return {};
  bool taken = false;
  unsigned char* const saved = map_file(file, nullptr, part.size, MAP_SHARED | MAP_NORESERVE);
  if (saved != nullptr) {
    save(saved, part.begin, part.size);
    raw_syscall(SYS_mprotect, word(saved), part.size, PROT_READ);
    taken = map_file(file, part.begin, part.size, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE) != nullptr && answers_as_expected(part.begin);
    if (!taken) raw_syscall(SYS_munmap, word(saved), part.size);
  }
  raw_syscall(SYS_close, static_cast<uintptr_t>(file));
  if (!taken) return {};
  g_parts[g_count++] = {part, saved, true, 0, kComparedForACopy, 0};
  return part;
}

bool any() { return g_count != 0; }

size_t restore(PutBack put_back) {
  g_compared = 0;
  size_t bytes = 0;
  const PageMap map;
  for (size_t i = 0; i < g_count; ++i) bytes += restore_part(g_parts[i], map, put_back);
  return bytes;
}

void mapped_over(uintptr_t begin, uintptr_t end) {
  for (size_t i = 0; i < g_count; ++i) {
    const uintptr_t first = word(g_parts[i].live.begin);
    if (begin < first + g_parts[i].live.size && end > first) g_parts[i].asked = false;
  }
}

size_t compared_pages() { return g_compared; }

}  // namespace heddle::rt::large_data
