#include <sys/file.h>

int bare_function(int x) { return x + 1; }
int waits_out_of_sight() { return flock(-1, LOCK_EX); }
