#include "intercept/descriptors/file_call.h"

#include "base/path.h"
#include "trace/file_event.h"
#include "trace/file_notes.h"

namespace heddle::rt {
namespace {

std::string_view text(const char* s) { return s != nullptr ? s : std::string_view(); }

// Nothing runs between the operation and the call. If the call was no operation, the note is another call's.
FileNote* last_note() { return file_notes().of(static_cast<uint32_t>(recorder().events.size()) - 1); }

}  // namespace

void note_file(uint32_t event, const NamedFile& file) {
  char room[256];
  FileNote& note = file_notes().add(event, file.call, file.number >= 0 ? path_of_number(file.number, room) : text(file.named), text(file.other));
  if (closes_file(recorder().events[event])) note.number = file.number;
}

void note_file_error(int error) {
  if (FileNote* const note = last_note()) note->error = error;
}

void note_opened_number(int number) {
  if (FileNote* const note = last_note()) note->number = number;
}

}  // namespace heddle::rt
