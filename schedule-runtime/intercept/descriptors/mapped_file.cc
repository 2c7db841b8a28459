#include "intercept/descriptors/mapped_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw_syscall.h"
#include "races/race_detector.h"

namespace heddle::rt {
namespace {

constexpr uint64_t kWatched = 1 << 16;  // bytes that the race detector looks at

}  // namespace

void mapped_file_accessed(int descriptor, int64_t at, uint64_t size, bool write, Place place) {
  if ((current_thread()->ignored.what & (write ? kIgnoreWrites : kIgnoreReads)) != 0) return;
  struct stat file;
  if (raw_syscall(SYS_fstat, word(descriptor), word(&file)) != 0 || !S_ISREG(file.st_mode)) return;
  const SharedViews::File number = {file.st_dev, file.st_ino};
  if (!shared_views().shows(number)) return;
  if (write && (raw_syscall(SYS_fcntl, word(descriptor), F_GETFL) & O_APPEND) != 0) at = file.st_size;
  if (at == kWhereItStands) at = raw_syscall(SYS_lseek, word(descriptor), 0, SEEK_CUR);
  if (at < 0) return;
  // A read ends at the end of the file.
  const auto from = static_cast<uint64_t>(at), end = static_cast<uint64_t>(file.st_size);
  if (!write) size = from >= end ? 0 : size < end - from ? size : end - from;
  // No choice point here: the one before the call is enough, because no other thread runs from here on.
  Thread& t = *current_thread();
  const Spot spot = Engine::spot_of(t, place);
  shared_views().each_shown(number, from, size < kWatched ? size : kWatched, [&](uintptr_t home, size_t bytes) {
    if (write) engine().wrote_shared_memory(t);
    race_detector_access_at(t.index, home, bytes, write, spot.site, spot.context);
  });
}

}  // namespace heddle::rt
