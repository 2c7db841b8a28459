#include "intercept/descriptors/file_call.h"

#include <stdio.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"
#include "trace/file_notes.h"

namespace heddle::rt {
namespace {

// Of the file that is open under this number. Empty: it is none, or /proc is not there.
std::string_view path_of(int number, char (&room)[256]) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", number);
  const long length = raw_syscall(SYS_readlink, word(link), word(room), sizeof room);
  std::string_view path(room, length > 0 ? static_cast<size_t>(length) : 0);
  if (!path.starts_with('/')) return {};
  if (constexpr std::string_view kDeleted = " (deleted)"; path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
  return path;
}

std::string_view text(const char* s) { return s != nullptr ? s : std::string_view(); }

}  // namespace

void note_file(uint32_t event, const NamedFile& file) {
  char room[256];
  file_notes().add(event, file.call, file.number >= 0 ? path_of(file.number, room) : text(file.named), text(file.other));
}

void note_file_error(int error) {
  const auto last = static_cast<uint32_t>(recorder().events.size()) - 1;
  // Nothing runs between the operation and the call. If the call was no operation, the note is another call's.
  if (FileNote* const note = file_notes().of(last)) note->error = error;
}

}  // namespace heddle::rt
