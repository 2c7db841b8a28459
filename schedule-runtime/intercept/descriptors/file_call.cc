#include "intercept/descriptors/file_call.h"

#include "base/path.h"
#include "trace/file_notes.h"

namespace heddle::rt {
namespace {

std::string_view text(const char* s) { return s != nullptr ? s : std::string_view(); }

}  // namespace

void note_file(uint32_t event, const NamedFile& file) {
  char room[256];
  file_notes().add(event, file.call, file.number >= 0 ? path_of_number(file.number, room) : text(file.named), text(file.other));
}

void note_file_error(int error) {
  const auto last = static_cast<uint32_t>(recorder().events.size()) - 1;
  // Nothing runs between the operation and the call. If the call was no operation, the note is another call's.
  if (FileNote* const note = file_notes().of(last)) note->error = error;
}

}  // namespace heddle::rt
