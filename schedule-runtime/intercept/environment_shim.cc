// The environment is read and changed by everybody: POSIX lets no thread change it while another one looks. It stands for all of it where it begins.
#include <stdlib.h>
#include <unistd.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

#define HEDDLE_GET_ENVIRONMENT(name)                                       \
  HEDDLE_LIBRARY_FUNCTION(char*, name, (const char* variable), (variable), \
                          (reads.text(variable), reads(&environ)))
HEDDLE_GET_ENVIRONMENT(getenv)
HEDDLE_GET_ENVIRONMENT(secure_getenv)

HEDDLE_LIBRARY_FUNCTION(int, setenv, (const char* variable, const char* value, int replace), (variable, value, replace),
                        (reads.text(variable), reads.text(value),
                         writes(&environ)))
HEDDLE_LIBRARY_FUNCTION(int, unsetenv, (const char* variable), (variable),
                        (reads.text(variable), writes(&environ)))
HEDDLE_LIBRARY_FUNCTION(int, putenv, (char* setting), (setting),
                        (reads.text(setting), writes(&environ)))
HEDDLE_LIBRARY_FUNCTION(int, clearenv, (), (), writes(&environ))
