// Signal sets, which are memory of the program.
#include <signal.h>

#include "intercept/library_access.h"

HEDDLE_LIBRARY_FUNCTION(int, sigemptyset, (sigset_t* set), (set), writes(set))
HEDDLE_LIBRARY_FUNCTION(int, sigfillset, (sigset_t* set), (set), writes(set))
HEDDLE_LIBRARY_FUNCTION(int, sigaddset, (sigset_t* set, int number), (set, number), (reads(set), writes(set)))
HEDDLE_LIBRARY_FUNCTION(int, sigdelset, (sigset_t* set, int number), (set, number), (reads(set), writes(set)))
HEDDLE_LIBRARY_FUNCTION(int, sigismember, (const sigset_t* set, int number), (set, number), reads(set))
