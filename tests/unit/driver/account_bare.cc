#include <sys/socket.h>

int bare_function(int x) { return x + 1; }
int waits_out_of_sight() { return connect(-1, nullptr, 0); }
