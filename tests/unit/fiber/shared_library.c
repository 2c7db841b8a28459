/* A shared library with a thread-local: linked_variable() or loaded_variable(). */
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

static __thread int variable = 11;

int* PASTE(NAME, _variable)(void) { return &variable; }
