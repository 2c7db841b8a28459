// Streams of files: fopen and freopen. The name of the file is descriptors/own_path.h's business.
#include "intercept/descriptors/file_lock.h"
#include "intercept/descriptors/own_path.h"
#include "intercept/stdio/stream.h"

using namespace heddle::rt;
using heddle::Kind;

namespace {

Kind opening_stream(Word mode) { return mode != 0 && *reinterpret_cast<const char*>(mode) != 'r' ? Kind::file_write : Kind::file_read; }

// A stream that is closed first.
Kind reopening(Word stream, Word mode, Place place) {
  FILE* const file = reinterpret_cast<FILE*>(stream);
  if (in_program() && is_standard_stream(file)) note_unrestorable("freopen of a standard stream");
  if (file != nullptr) stream_flushed(file, place), number_closes(file->_fileno, place);
  return opening_stream(mode);
}

}  // namespace

HEDDLE_OPEN_CALL(fopen, a, opening_stream(b))
HEDDLE_OPEN_CALL(fopen64, a, opening_stream(b))
HEDDLE_OPEN_CALL(freopen, a, reopening(c, b, HEDDLE_HERE))
HEDDLE_OPEN_CALL(freopen64, a, reopening(c, b, HEDDLE_HERE))
