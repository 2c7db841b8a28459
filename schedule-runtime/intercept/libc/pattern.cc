// Regular expressions, name patterns, and conversions between character sets. The data behind a regex_t or an iconv_t is the C library's,
// but counts as the caller's object: a conversion writes it, a search only reads it.
#include <fnmatch.h>
#include <glob.h>
#include <iconv.h>
#include <regex.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

HEDDLE_LIBRARY_FUNCTION(int, regcomp, (regex_t* to, const char* pattern, int flags), (to, pattern, flags), (reads.text(pattern), writes(to)))
HEDDLE_LIBRARY_FUNCTION(void, regfree, (regex_t* expression), (expression), writes(expression))
HEDDLE_LIBRARY_FUNCTION_THEN(int, regexec, (const regex_t* expression, const char* s, size_t count, regmatch_t* to, int flags),
                             (expression, s, count, to, flags),
                             (reads(expression), (flags & REG_STARTEND) == 0
                                                     ? reads.text(s)
                                                     : (reads(to), reads(s + to->rm_so, HEDDLE_BYTES(to->rm_eo - to->rm_so)))),
                             if (answer == 0 && count != 0 && !expression->__REPB_PREFIX(no_sub)) writes(to, HEDDLE_BYTES(count * sizeof *to)))
HEDDLE_LIBRARY_FUNCTION_THEN(size_t, regerror, (int code, const regex_t* expression, char* to, size_t room), (code, expression, to, room), reads(expression),
                             if (room != 0) writes.text(to))

HEDDLE_LIBRARY_FUNCTION(int, fnmatch, (const char* pattern, const char* s, int flags), (pattern, s, flags), (reads.text(pattern), reads.text(s)))
HEDDLE_LIBRARY_FUNCTION_THEN(int, glob, (const char* pattern, int flags, int (*failed)(const char*, int), glob_t* to), (pattern, flags, failed, to),
                             reads.text(pattern), writes(to))
HEDDLE_LIBRARY_FUNCTION(void, globfree, (glob_t* names), (names), (reads(names), writes(names)))

HEDDLE_LIBRARY_FUNCTION_THEN(iconv_t, iconv_open, (const char* to, const char* from), (to, from), (reads.text(to), reads.text(from)), )
HEDDLE_LIBRARY_FUNCTION(int, iconv_close, (iconv_t conversion), (conversion), writes(static_cast<char*>(conversion)))

HEDDLE_LIBRARY_NEXT(size_t, iconv, (iconv_t, char**, size_t*, char**, size_t*))
HEDDLE_SHIM size_t heddle_iconv(iconv_t conversion, char** from, size_t* left, char** to, size_t* room) asm("iconv");
size_t heddle_iconv(iconv_t conversion, char** from, size_t* left, char** to, size_t* room) {
  const Place here = HEDDLE_HERE;
  if (!asked_by_program(here)) return next_iconv(conversion, from, left, to, room);
  const LibraryAccesses reads(false, here), writes(true, here);
  writes(static_cast<char*>(conversion));
  for (const auto at : {from, to}) reads(at), writes(at);
  for (const auto size : {left, room}) reads(size), writes(size);
  if (from != nullptr && *from != nullptr && left != nullptr) reads(*from, HEDDLE_BYTES(*left));
  char* const begin = to != nullptr ? *to : nullptr;
  const size_t answer = next_iconv(conversion, from, left, to, room);
  if (begin != nullptr && *to != begin) writes(begin, HEDDLE_BYTES(*to - begin));
  return answer;
}
