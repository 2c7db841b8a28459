// Functions that split strings into tokens in place.
#include <string.h>

#include "intercept/library_access.h"
#include "restore/touched_state.h"

using namespace heddle::rt;

// Where strtok continues. The C library's own variable has no name. Two threads that use strtok race on it.
extern "C" {
static char* strtok_state;
}

namespace {

constinit TouchedState g_strtok_touched{[] { strtok_state = nullptr; }};

constinit Next<size_t(const char*, const char*)> libc_strspn{"strspn"}, libc_strcspn{"strcspn"};
constinit Next<size_t(const wchar_t*, const wchar_t*)> libc_wcsspn{"wcsspn"}, libc_wcscspn{"wcscspn"};
size_t span(const char* s, const char* set) { return libc_strspn(s, set); }
size_t span(const wchar_t* s, const wchar_t* set) { return libc_wcsspn(s, set); }
size_t span_without(const char* s, const char* set) { return libc_strcspn(s, set); }
size_t span_without(const wchar_t* s, const wchar_t* set) { return libc_wcscspn(s, set); }

// Reads up to and including the byte after the next token, and overwrites that byte.
template <typename C>
void token_accesses(C* s, const C* set, bool skips_empty, Place place) {
  const auto size = [&] {
    const size_t skipped = skips_empty ? span(s, set) : 0;
    return skipped + span_without(s + skipped, set);
  };
  const LibraryAccesses reads(false, place), writes(true, place);
  reads.text(set);
  reads(s, HEDDLE_BYTES((size() + 1) * sizeof *s));
  const size_t end = size();
  if (s[end] != 0) writes(s + end);
}

// `rest` is read if `s` is null, and always written.
template <typename C>
void strtok_accesses(C* s, const C* set, C** rest, Place place) {
  if (s == nullptr) LibraryAccesses(false, place)(rest);
  C* const begin = s != nullptr ? s : *rest;
  if (begin != nullptr) token_accesses(begin, set, true, place);
  LibraryAccesses(true, place)(rest);
}

}  // namespace

HEDDLE_LIBRARY_FUNCTION(char*, strtok_r, (char* s, const char* set, char** rest), (s, set, rest), strtok_accesses(s, set, rest, here))
HEDDLE_LIBRARY_FUNCTION(char*, __strtok_r, (char* s, const char* set, char** rest), (s, set, rest), strtok_accesses(s, set, rest, here))

HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcstok, (wchar_t* s, const wchar_t* set, wchar_t** rest), (s, set, rest), strtok_accesses(s, set, rest, here))

HEDDLE_SHIM char* heddle_strtok(char* s, const char* set) asm("strtok");
char* heddle_strtok(char* s, const char* set) {
  const Place here = HEDDLE_HERE;
  if (current_thread() != nullptr) g_strtok_touched.touch();
  if (asked_by_program(here)) strtok_accesses(s, set, &strtok_state, here);
  return next_strtok_r(s, set, &strtok_state);
}

HEDDLE_LIBRARY_FUNCTION(char*, strsep, (char** s, const char* set), (s, set), {
  reads(s);
  if (*s != nullptr) {
    token_accesses(*s, set, false, here);
    writes(s);
  }
})
