// heddle: expect=pass runs=500
// The alternate stack for signals is the engine's again in the next execution.
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static char stack[1 << 16];

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  stack_t now;
  assert(sigaltstack(NULL, &now) == 0 && now.ss_sp != stack);
  assert(sigaltstack(&own, NULL) == 0 && sigaltstack(NULL, &now) == 0 && now.ss_sp == stack);
  return 0;
}
