#include <unistd.h>

int bare_function(int x) { return x + 1; }
int waits_out_of_sight() { return lockf(-1, F_LOCK, 0); }
