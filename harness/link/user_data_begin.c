/* The first object of the program on the link line. The sanitizers' and the engine's archives come before it and
 * heddle's own object has sections of its own names, so everything from these two markers to the end of .data and
 * .bss is the program's: restore/initial_state.cc puts exactly that back between executions. */
__attribute__((used, visibility("hidden"), aligned(64), section(".data"))) char heddle_user_data_begin[64] = {1};
__attribute__((used, visibility("hidden"), aligned(64), section(".bss"))) char heddle_user_bss_begin[64];

/* By name, for the survey of what is instrumented (harness/driver/modules.cc): units between this one and end_of_program.c are the program's. */
__attribute__((used)) static const char heddle_begin_of_program = 1;

/* From here to heddle_code_begin the code is the program's (harness/driver/assembly_atomics.cc). */
__attribute__((used, visibility("hidden"))) void heddle_user_code_begin(void) {}

/* Its constructors, those without a priority, stand after this entry (harness/driver/constructors.cc). */
__attribute__((used, visibility("hidden"), section(".init_array"))) void (*heddle_constructors_begin)(void) = heddle_user_code_begin;
