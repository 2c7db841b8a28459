// Calls that read or set state of the system and of the process.
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

HEDDLE_LIBRARY_FILLS(uname, (utsname* to), (to), to, , )
HEDDLE_LIBRARY_FILLS(sysinfo, (struct sysinfo* to), (to), to, , )
HEDDLE_LIBRARY_FILLS(getrlimit, (int what, rlimit* to), (what, to), to, , )
HEDDLE_LIBRARY_FILLS(getrlimit64, (int what, rlimit64* to), (what, to), to, , )
HEDDLE_LIBRARY_FILLS(clock_getres, (clockid_t clock, timespec* to), (clock, to), to, , )
HEDDLE_LIBRARY_FUNCTION_THEN(int, getloadavg, (double* to, int count), (to, count), ,
                             if (answer > 0) writes(to, HEDDLE_BYTES(static_cast<size_t>(answer) * sizeof *to)))
HEDDLE_LIBRARY_FUNCTION_THEN(int, getgroups, (int room, gid_t* to), (room, to), ,
                             if (answer > 0 && room > 0) writes(to, HEDDLE_BYTES(static_cast<size_t>(answer) * sizeof *to)))
