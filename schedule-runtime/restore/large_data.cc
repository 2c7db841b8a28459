#include "restore/large_data.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/asan.h"
#include "base/raw_syscall.h"
#include "base/reserved_array.h"
#include "base/writable_memory.h"

namespace heddle::rt::large_data {
namespace {

constexpr size_t kMostParts = 32;
// Writing to a page that still belongs to the file costs as much as comparing this many pages.
constexpr uint32_t kComparedForACopy = 16;
constexpr uint32_t kMostDoublings = 8;
// If most pages were written in any case, the kernel is asked only once in this many restores.
constexpr uint32_t kAskedEvery = 8;

// What is known about a page that was written.
struct Page {
  uint32_t given_up;  // the restore in which it last went back to the file; 0: never
  uint16_t in_vain;   // how often in a row it was found unchanged
  uint8_t doublings;  // of the patience with it
  bool own;           // not the file's

  uint32_t patience() const { return kComparedForACopy << doublings; }
};

struct Tracked {
  Part live;
  const unsigned char* saved;  // all of the file
  Page* pages;
  bool foreign;      // may be another mapping: the kernel is no longer asked
  uint32_t unasked;  // for so many restores more
};
constinit Tracked g_parts[kMostParts] = {};
constinit size_t g_count = 0;
constinit size_t g_compared = 0;
constinit uint32_t g_restores = 0;

constinit uint64_t g_entries[512] = {};  // of /proc/self/pagemap

// Opened each time: the process may have been forked since the last time, and the program may close the descriptor.
class PageMap {
 public:
  PageMap() : file_(raw_syscall(SYS_openat, word(AT_FDCWD), word("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC)) {}
  ~PageMap() {
    if (file_ >= 0) raw_syscall(SYS_close, static_cast<uintptr_t>(file_));
  }
  PageMap(const PageMap&) = delete;
  PageMap& operator=(const PageMap&) = delete;

  // Reads into g_entries.
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

// A file must not grow beyond the limit: the kernel would end the process.
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

// Zero pages stay holes of the file. Large arrays are mostly zero.
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

// Checks that pagemap works as in Linux. Some emulations of the kernel answer differently.
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

// A page that was unchanged in many comparisons goes back to the file. If it is written again too early, that did not pay off. Then the
// next time needs twice as many comparisons.
bool to_be_given_up(Page& page, bool changed) {
  if (!page.own) {
    page.own = true;
    const bool soon = page.given_up != 0 && g_restores - page.given_up < page.patience();
    page.doublings = static_cast<uint8_t>(!soon ? 0 : page.doublings < kMostDoublings ? page.doublings + 1 : page.doublings);
    page.in_vain = 0;
  }
  if (changed) {
    page.in_vain = 0;
    return false;
  }
  if (++page.in_vain < page.patience()) return false;
  page.in_vain = 0;
  page.given_up = g_restores;
  page.own = false;
  return true;
}

// The kernel refuses this for locked memory. Then the pages are still compared.
void give_up(const Tracked& part, size_t first, size_t count) {
  if (count != 0) raw_syscall(SYS_madvise, word(part.live.begin + first * kPage), count * kPage, MADV_DONTNEED);
}

size_t restore_part(Tracked& part, PutBack put_back) {
  if (part.foreign || part.unasked != 0) {
    if (part.unasked != 0) --part.unasked;
    return compare_all(part, put_back);
  }
  const PageMap map;
  constexpr size_t kAtOnce = sizeof g_entries / sizeof *g_entries;
  const size_t pages = part.live.size / kPage;
  size_t bytes = 0, compared = 0;
  size_t useless = 0, useless_count = 0;  // pages in a row
  for (size_t first = 0; first < pages; first += kAtOnce) {
    const size_t count = pages - first < kAtOnce ? pages - first : kAtOnce;
    if (!map.read(part.live.begin + first * kPage, count)) return bytes + compare_all(part, put_back);
    for (size_t i = 0; i < count; ++i) {
      if (__builtin_expect(!PageMap::written(g_entries[i]), 1)) continue;
      const size_t page = first + i;
      const size_t written = put_back(part.live.begin + page * kPage, part.saved + page * kPage, kPage);
      ++compared;
      bytes += written;
      if (!to_be_given_up(part.pages[page], written != 0)) continue;
      if (useless + useless_count != page) {
        give_up(part, useless, useless_count);
        useless = page;
        useless_count = 0;
      }
      ++useless_count;
    }
  }
  give_up(part, useless, useless_count);
  g_compared += compared;
  if (compared > pages / 2) part.unasked = kAskedEvery - 1;
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
  g_parts[g_count++] = {part, saved, static_cast<Page*>(reserve_memory(part.size / kPage * sizeof(Page))), false, 0};
  return part;
}

bool any() { return g_count != 0; }

size_t restore(PutBack put_back) {
  g_compared = 0;
  ++g_restores;
  size_t bytes = 0;
  for (size_t i = 0; i < g_count; ++i) bytes += restore_part(g_parts[i], put_back);
  return bytes;
}

void mapped_over(uintptr_t begin, uintptr_t end) {
  for (size_t i = 0; i < g_count; ++i) {
    const uintptr_t first = word(g_parts[i].live.begin);
    if (begin < first + g_parts[i].live.size && end > first) g_parts[i].foreign = true;
  }
}

size_t compared_pages() { return g_compared; }

}  // namespace heddle::rt::large_data
