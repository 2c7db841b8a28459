// heddle: expect=pass runs=1000
// Other threads run at an atomic instruction in assembly, and the function must not notice: registers, flags, vectors, the direction of string
// instructions, rounding, and data of a leaf function below the stack pointer are unchanged.
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint64_t shared;

// All general registers but the stack's, flags and four vectors, given and read back.
static void with_registers(uint64_t seed) {
  uint64_t general[14], vectors[8], got[14], seen[8];
  uint64_t flags = 0;
  for (int i = 0; i < 14; ++i) general[i] = seed * 0x9E3779B97F4A7C15u + (uint64_t)i;
  for (int i = 0; i < 8; ++i) vectors[i] = ~seed - (uint64_t)i;
  general[0] = (uint64_t)&shared;
  const struct {
    uint64_t *general, *vectors, *got, *seen, *flags;
  } at = {general, vectors, got, seen, &flags};
  __asm__ volatile(
      "movq %0, %%rax\n\t"
      "pushq %%rbp\n\t"
      "pushq %%rax\n\t"
      "movq 8(%%rax), %%rbx\n\t"
      "movdqu (%%rbx), %%xmm0\n\t"
      "movdqu 16(%%rbx), %%xmm5\n\t"
      "movdqu 32(%%rbx), %%xmm9\n\t"
      "movdqu 48(%%rbx), %%xmm15\n\t"
      "movq (%%rax), %%rax\n\t"
      "movq 8(%%rax), %%rbx\n\t"
      "movq 16(%%rax), %%rcx\n\t"
      "movq 24(%%rax), %%rdx\n\t"
      "movq 32(%%rax), %%rsi\n\t"
      "movq 40(%%rax), %%rdi\n\t"
      "movq 48(%%rax), %%rbp\n\t"
      "movq 56(%%rax), %%r8\n\t"
      "movq 64(%%rax), %%r9\n\t"
      "movq 72(%%rax), %%r10\n\t"
      "movq 80(%%rax), %%r11\n\t"
      "movq 88(%%rax), %%r12\n\t"
      "movq 96(%%rax), %%r13\n\t"
      "movq 104(%%rax), %%r14\n\t"
      "movq (%%rax), %%rax\n\t"
      "stc\n\t"
      "std\n\t"
      "lock; incq (%%rax)\n\t"
      "pushfq\n\t"
      "cld\n\t"
      "pushq %%rax\n\t"
      "movq 16(%%rsp), %%rax\n\t"
      "movq 24(%%rax), %%rax\n\t"
      "movdqu %%xmm0, (%%rax)\n\t"
      "movdqu %%xmm5, 16(%%rax)\n\t"
      "movdqu %%xmm9, 32(%%rax)\n\t"
      "movdqu %%xmm15, 48(%%rax)\n\t"
      "movq 16(%%rsp), %%rax\n\t"
      "movq 16(%%rax), %%rax\n\t"
      "movq %%rbx, 8(%%rax)\n\t"
      "movq %%rcx, 16(%%rax)\n\t"
      "movq %%rdx, 24(%%rax)\n\t"
      "movq %%rsi, 32(%%rax)\n\t"
      "movq %%rdi, 40(%%rax)\n\t"
      "movq %%rbp, 48(%%rax)\n\t"
      "movq %%r8, 56(%%rax)\n\t"
      "movq %%r9, 64(%%rax)\n\t"
      "movq %%r10, 72(%%rax)\n\t"
      "movq %%r11, 80(%%rax)\n\t"
      "movq %%r12, 88(%%rax)\n\t"
      "movq %%r13, 96(%%rax)\n\t"
      "movq %%r14, 104(%%rax)\n\t"
      "popq (%%rax)\n\t"
      "popq %%rbx\n\t"
      "popq %%rcx\n\t"
      "popq %%rbp\n\t"
      "movq 32(%%rcx), %%rcx\n\t"
      "movq %%rbx, (%%rcx)"
      :
      : "r"(&at)
      : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "xmm0", "xmm5", "xmm9", "xmm15", "memory", "cc");
  assert(memcmp(general, got, sizeof got) == 0 && memcmp(vectors, seen, sizeof seen) == 0);
  assert((flags & 0x401) == 0x401);  // the carry and the direction
}

// A leaf: the compiler may keep `values` below the stack pointer.
__attribute__((noinline)) static uint64_t in_red_zone(uint64_t seed) {
  volatile uint64_t values[8];
  for (int i = 0; i < 8; ++i) values[i] = seed + (uint64_t)i;
  __asm__ volatile("lock; addq $1, %0" : "+m"(shared) : : "memory", "cc");
  uint64_t sum = 0;
  for (int i = 0; i < 8; ++i) sum += values[i];
  return sum;
}

static void* work(void* number) {
  const uint64_t me = (uint64_t)(uintptr_t)number;
  long double before = 1.0L / (long double)(me + 1);
  for (uint64_t i = 0; i < 2; ++i) {
    with_registers(me * 16 + i);
    assert(in_red_zone(me) == me * 8 + 28);
    before = before * 2 - before;
  }
  assert(before == 1.0L / (long double)(me + 1));
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t threads[3];
  shared = 0;
  for (uintptr_t i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, &work, (void*)(i + 1));
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(shared == 12);
  return 0;
}
