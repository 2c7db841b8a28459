// Streams of files: fopen and freopen. descriptors/own_path.h handles the file's name.
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/elf.h"
#include "base/line.h"
#include "base/runtime_names.h"
#include "intercept/descriptors/file_lock.h"
#include "intercept/descriptors/own_path.h"
#include "intercept/descriptors/standard_descriptors_change.h"
#include "intercept/stdio/stream.h"

using namespace heddle::rt;
using heddle::Kind;

namespace {

bool creates(Word mode) { return mode != 0 && (*reinterpret_cast<const char*>(mode) == 'w' || *reinterpret_cast<const char*>(mode) == 'a'); }

Kind opening_stream(Word mode) { return mode != 0 && *reinterpret_cast<const char*>(mode) != 'r' ? Kind::file_write : Kind::file_read; }

// freopen closes the old stream first.
Kind reopening(Word stream, Word mode, Place place) {
  FILE* const file = reinterpret_cast<FILE*>(stream);
  if (in_program() && is_standard_stream(file)) note_unrestorable("freopen of a standard stream");
  if (file == nullptr) return opening_stream(mode);
  stream_flushed("freopen", file, place);
  number_closes(file->_fileno, place);
  standard_descriptors_change(static_cast<unsigned>(file->_fileno), static_cast<unsigned>(file->_fileno));
  return opening_stream(mode);
}

// libFuzzer ignores the result, and says that an input was written even if it was not. So if one of its own calls fails to open a file,
// heddle prints a note, once.
void tell_if_lost(Word stream, Word path, Word mode, uintptr_t caller) {
  static constinit bool told = false;
  if (stream != 0 || told || current_thread() != nullptr || opening_stream(mode) != Kind::file_write) return;
  const int error = errno;
  const Symbol* const function = find_symbol(caller - 1);
  if (function != nullptr && in_namespace(function->name, "6fuzzer")) {
    told = true;
    print_line(2, "heddle: note: %s cannot be written: %s. The input is lost: choose another -artifact_prefix or corpus directory\n",
               reinterpret_cast<const char*>(path), strerrordesc_np(error));
  }
  errno = error;
}

}  // namespace

#define HEDDLE_OPEN_STREAM(name) \
  HEDDLE_OPEN_CALL(reinterpret_cast<FILE*>, name, AT_FDCWD, a, opening_stream(b), creates(b), tell_if_lost(answer, a, b, reinterpret_cast<uintptr_t>(__builtin_return_address(0))))
HEDDLE_OPEN_STREAM(fopen)
HEDDLE_OPEN_STREAM(fopen64)
HEDDLE_OPEN_CALL(reinterpret_cast<FILE*>, freopen, AT_FDCWD, a, reopening(c, b, HEDDLE_HERE), creates(b), )
HEDDLE_OPEN_CALL(reinterpret_cast<FILE*>, freopen64, AT_FDCWD, a, reopening(c, b, HEDDLE_HERE), creates(b), )
