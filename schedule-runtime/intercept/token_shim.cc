// Strings that are cut into tokens in place.
#include <string.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

// Where strtok goes on: libc's own has no name, and two threads that use it race for it.
extern "C" {
static char* strtok_state;
}

namespace {

constinit Next<size_t(const char*, const char*)> next_strspn{"strspn"};
constinit Next<size_t(const char*, const char*)> next_strcspn{"strcspn"};

// Up to the byte behind the next token, which then ends it.
void token_accesses(char* s, const char* set, bool skips_empty, const Place& place) {
  const auto size = [&] {
    const size_t skipped = skips_empty ? next_strspn(s, set) : 0;
    return skipped + next_strcspn(s + skipped, set);
  };
  library_accesses(set, HEDDLE_BYTES(length(set) + 1), false, place);
  library_accesses(s, HEDDLE_BYTES(size() + 1), false, place);
  const size_t end = size();
  if (s[end] != 0) library_accesses(s + end, HEDDLE_BYTES(1), true, place);
}

// `rest` is read if it says where to begin, and written in any case.
void strtok_accesses(char* s, const char* set, char** rest, const Place& place) {
  if (s == nullptr) library_accesses(rest, HEDDLE_BYTES(sizeof *rest), false, place);
  char* const begin = s != nullptr ? s : *rest;
  if (begin != nullptr) token_accesses(begin, set, true, place);
  library_accesses(rest, HEDDLE_BYTES(sizeof *rest), true, place);
}

}  // namespace

HEDDLE_LIBRARY_FUNCTION(char*, strtok_r, (char* s, const char* set, char** rest), (s, set, rest), strtok_accesses(s, set, rest, here))
HEDDLE_LIBRARY_FUNCTION(char*, __strtok_r, (char* s, const char* set, char** rest), (s, set, rest), strtok_accesses(s, set, rest, here))

HEDDLE_SHIM char* heddle_strtok(char* s, const char* set) asm("strtok");
char* heddle_strtok(char* s, const char* set) {
  const Place here = HEDDLE_HERE;
  if (asked_by_program(here)) strtok_accesses(s, set, &strtok_state, here);
  return next_strtok_r(s, set, &strtok_state);
}

HEDDLE_LIBRARY_FUNCTION(char*, strsep, (char** s, const char* set), (s, set), {
  reads(s, HEDDLE_BYTES(sizeof *s));
  if (*s != nullptr) {
    token_accesses(*s, set, false, here);
    writes(s, HEDDLE_BYTES(sizeof *s));
  }
})
