/* The last unit of heddle's object. With -flto lld puts the program behind it: constructors after this entry are the program's, too. */
static void nothing(void) {}
__attribute__((used, visibility("hidden"), section(".init_array"))) void (*heddle_own_constructors_end)(void) = nothing;
