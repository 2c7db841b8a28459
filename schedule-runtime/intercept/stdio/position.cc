// Calls that get or set the position of a stream.
#include <stdio.h>

#include "intercept/stdio/stream.h"

using namespace heddle::rt;

#define HEDDLE_POSITION(result, name, parameters, arguments, said) \
  HEDDLE_LIBRARY_FUNCTION_AFTER(result, name, parameters, arguments, said(#name, file, here);)

HEDDLE_POSITION(int, fseek, (FILE * file, long at, int from), (file, at, from), stream_moved)
HEDDLE_POSITION(int, fseeko, (FILE * file, off_t at, int from), (file, at, from), stream_moved)
HEDDLE_POSITION(int, fseeko64, (FILE * file, off64_t at, int from), (file, at, from), stream_moved)
HEDDLE_POSITION(void, rewind, (FILE * file), (file), stream_moved)
HEDDLE_POSITION(long, ftell, (FILE * file), (file), stream_asked)
HEDDLE_POSITION(off_t, ftello, (FILE * file), (file), stream_asked)
HEDDLE_POSITION(off64_t, ftello64, (FILE * file), (file), stream_asked)
HEDDLE_POSITION(int, ungetc, (int byte, FILE* file), (byte, file), stream_changed)
HEDDLE_POSITION(void, clearerr, (FILE * file), (file), stream_changed)

#define HEDDLE_KEPT_POSITION(name, type, said, access) \
  HEDDLE_LIBRARY_FUNCTION_AFTER(int, name, (FILE * file, type * at), (file, at), said(#name, file, here); HEDDLE_LIBRARY_ACCESSES(asked_by_program, access(at)))
HEDDLE_KEPT_POSITION(fgetpos, fpos_t, stream_asked, writes)
HEDDLE_KEPT_POSITION(fgetpos64, fpos64_t, stream_asked, writes)
HEDDLE_KEPT_POSITION(fsetpos, const fpos_t, stream_moved, reads)
HEDDLE_KEPT_POSITION(fsetpos64, const fpos64_t, stream_moved, reads)
