// heddle: expect=pass runs=50
// Moves in both syntaxes, of all sizes, between memory, registers, constants and the stack pointer: each has its effect.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

static uint32_t word;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  uint32_t a = 0, b = 0;
  word = 0x01020305;
  __asm__ volatile(
      "movq %1, %%rdx\n\t"
      ".intel_syntax noprefix\n\t"
      "mov eax, dword ptr [rdx]\n\t"
      "mov word ptr [rdx], 4660\n\t"
      "mov byte ptr [rdx + 3], al\n\t"
      ".att_syntax"
      : "=&a"(a)
      : "r"(&word)
      : "memory", "rdx");
  assert(a == 0x01020305 && word == 0x05021234);
  __asm__ volatile(
      "movl %1, %0\n\t"
      "movl $7, %1\n\t"
      "movq %%rsp, %%rcx\n\t"
      "movq %%rcx, %%rsp"
      : "=&r"(b), "+m"(word)
      :
      : "memory", "rcx");
  assert(b == 0x05021234 && word == 7);
  return 0;
}
