/* Thread-locals of a C file. */
__thread int c_initialised = 42;
__thread long c_zero[4];

int* c_initialised_here(void) { return &c_initialised; }
long* c_zero_here(void) { return c_zero; }
