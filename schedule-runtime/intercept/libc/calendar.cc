// Dates: the memory that is read and written, including static memory of the C library. Two threads that use that memory race.
#include <time.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

#define HEDDLE_BROKEN_DOWN(name)                                                     \
  HEDDLE_LIBRARY_FUNCTION_THEN(tm*, name, (const time_t* time), (time), reads(time), \
                               if (answer != nullptr) writes(answer))                \
  HEDDLE_LIBRARY_FUNCTION(tm*, name##_r, (const time_t* time, tm* to), (time, to), { \
    reads(time);                                                                     \
    writes(to);                                                                      \
  })
HEDDLE_BROKEN_DOWN(localtime)
HEDDLE_BROKEN_DOWN(gmtime)

#define HEDDLE_SECONDS(name) \
  HEDDLE_LIBRARY_FUNCTION(time_t, name, (tm* date), (date), (reads(date), writes(date)))
HEDDLE_SECONDS(mktime)
HEDDLE_SECONDS(timegm)

#define HEDDLE_DATE_TEXT(name, what, parameters, arguments)                     \
  HEDDLE_LIBRARY_FUNCTION_THEN(char*, name, parameters, arguments, reads(what), \
                               if (answer != nullptr) writes.text(answer))
HEDDLE_DATE_TEXT(asctime, date, (const tm* date), (date))
HEDDLE_DATE_TEXT(asctime_r, date, (const tm* date, char* to), (date, to))
HEDDLE_DATE_TEXT(ctime, time, (const time_t* time), (time))
HEDDLE_DATE_TEXT(ctime_r, time, (const time_t* time, char* to), (time, to))

HEDDLE_LIBRARY_FUNCTION_THEN(size_t, strftime, (char* to, size_t room, const char* format, const tm* date), (to, room, format, date),
                             (reads.text(format), reads(date)),
                             if (answer != 0) writes(to, HEDDLE_BYTES(answer + 1)))
HEDDLE_LIBRARY_FUNCTION_THEN(char*, strptime, (const char* s, const char* format, tm* date), (s, format, date),
                             (reads.text(format), reads.text(s)),
                             if (answer != nullptr) writes(date))
