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

/* Its functions with the attribute `destructor`, those without a priority, stand after this entry (restore/exit_handlers.cc). */
__attribute__((used, visibility("hidden"), section(".fini_array"))) void (*heddle_destructors_begin)(void) = heddle_user_code_begin;

/* What libFuzzer calls, as this program has it: a variable of that name would be called (harness/driver/engine_names.cc). Not in heddle's own object, whose
 * calls of the same functions do not go through these names (own_calls.sh). */
#define OF_LIBFUZZER(NAME)                                                                                                                            \
  NAME(close) NAME(closedir) NAME(dirname) NAME(dup) NAME(dup2) NAME(exit) NAME(fclose) NAME(fdopen) NAME(fflush) NAME(fgets) NAME(fileno) NAME(fopen) \
  NAME(fputs) NAME(fwrite) NAME(getenv) NAME(getpid) NAME(getrusage) NAME(log) NAME(logl) NAME(memcmp) NAME(memcpy) NAME(memmem) NAME(memmove)        \
  NAME(memset) NAME(mkdir) NAME(opendir) NAME(pclose) NAME(popen) NAME(putenv) NAME(readdir) NAME(rename) NAME(rmdir) NAME(setitimer) NAME(sigaction) \
  NAME(sleep) NAME(sqrt) NAME(stat) NAME(strerror) NAME(strlen) NAME(strncmp) NAME(strstr) NAME(strtol) NAME(strtoul) NAME(sysconf) NAME(system)     \
  NAME(unlink) NAME(write)
#define DECLARE(name) extern __attribute__((weak)) const char of_##name[] __asm__(#name);
#define ENTRY(name) {#name, of_##name},
OF_LIBFUZZER(DECLARE)
__attribute__((used)) const struct {
  const char *name;
  const void *what;
} heddle_libfuzzer_calls[] = {OF_LIBFUZZER(ENTRY){0, 0}};

/* libFuzzer allocates with it: the program's own, or heddle's (harness/driver/engine_names.cc). */
extern __attribute__((weak)) const char of_new[] __asm__("_Znwm");
__attribute__((used)) const void *const heddle_operator_new = of_new;
