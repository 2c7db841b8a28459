// Users and groups. Results that are not in memory of the program are in memory that all threads share.
#include <grp.h>
#include <pwd.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

// `name`: the string that comes first in the caller's buffer.
#define HEDDLE_USERS_TO(type, function, Key, before, name)                                                                                    \
  HEDDLE_LIBRARY_FUNCTION_THEN(int, function, (Key key, type* to, char* texts, size_t room, type** found), (key, to, texts, room, found), before, \
                               if (answer == 0) (writes(found), *found != nullptr ? (writes(to), writes.text(to->name)) : static_cast<void>(0)))
#define HEDDLE_USERS(type, by_name, by_number, Number, name)                                              \
  HEDDLE_LIBRARY_FUNCTION_THEN(type*, by_name, (const char* key), (key), reads.text(key), writes(answer)) \
  HEDDLE_LIBRARY_FUNCTION_THEN(type*, by_number, (Number key), (key), , writes(answer))                   \
  HEDDLE_USERS_TO(type, by_name##_r, const char*, reads.text(key), name)                                  \
  HEDDLE_USERS_TO(type, by_number##_r, Number, static_cast<void>(0), name)
HEDDLE_USERS(passwd, getpwnam, getpwuid, uid_t, pw_name)
HEDDLE_USERS(group, getgrnam, getgrgid, gid_t, gr_name)
