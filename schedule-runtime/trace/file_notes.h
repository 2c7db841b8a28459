// What reports say of operations on files: the call, which file it named, and the error that it ended with. (All files are one object of the
// schedule: primitives/file_operation.h.)
#pragma once

#include <cstdint>
#include <string_view>

#include "trace/event_notes.h"

namespace heddle::rt {

struct FileNote {
  static constexpr size_t kRoom = 32;  // a longer name would fill the column

  uint32_t event;
  int error;         // of errno; 0: it has not failed
  int number;        // that the call opened, or closes; -1: neither
  const char* call;  // its name. Null: the operation's kind says enough
  char names[2][kRoom];  // of the file, and of the other one, if there is one. Empty: not known

  // Perhaps: the directories are not compared, which may be missing in either name.
  bool may_concern_file_of(const FileNote& other) const {
    for (const std::string_view mine : names) {
      for (const std::string_view name : other.names) {
        if (!mine.empty() && last_part(mine) == last_part(name)) return true;
      }
    }
    return false;
  }

 private:
  static std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }
};

// The operations on files of a run, if it is watched.
class FileNotes {
 public:
  void begin() { notes_.begin(); }
  // A long name loses its beginning.
  FileNote& add(uint32_t event, const char* call, std::string_view name, std::string_view other) {
    FileNote& note = notes_.add(event);
    note.error = 0;
    note.number = -1;
    note.call = call;
    copy(name, note.names[0]);
    copy(other, note.names[1]);
    return note;
  }
  // Null: the event has none.
  FileNote* of(uint32_t event) { return notes_.of(event); }

 private:
  static void copy(std::string_view from, char (&to)[FileNote::kRoom]) {
    constexpr std::string_view kCut = "...";
    constexpr size_t kMostText = FileNote::kRoom - 1;
    size_t at = 0;
    if (from.size() > kMostText) {
      from.remove_prefix(from.size() - (kMostText - kCut.size()));
      if (const size_t slash = from.find('/'); slash != std::string_view::npos) from.remove_prefix(slash);
      for (const char c : kCut) to[at++] = c;
    }
    for (const char c : from) to[at++] = c;
    to[at] = '\0';
  }

  EventNotes<FileNote> notes_;
};

extern constinit FileNotes g_file_notes;
inline FileNotes& file_notes() { return g_file_notes; }

}  // namespace heddle::rt
