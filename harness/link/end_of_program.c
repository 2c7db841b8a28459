/* The first unit of heddle's object: what stands before it on the link line, from user_data_begin.c on, is the program. */
__attribute__((used)) static const char heddle_end_of_program = 1;

static void nothing(void) {}
__attribute__((used, visibility("hidden"), section(".init_array"))) void (*heddle_own_constructors_begin)(void) = nothing;
