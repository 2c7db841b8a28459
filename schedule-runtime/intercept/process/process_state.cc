// Calls of a whole program that change the state of the process. It is restored after the execution (restore/process_state.h). In other
// targets, libc does these calls.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <locale>

#include "engine/program_exit.h"
#include "intercept/word_call.h"
#include "restore/process_state.h"

using namespace heddle::rt;

#define HEDDLE_PROCESS_CALL(name, note) HEDDLE_WORD_SHIM(name, if (in_program()) note)

HEDDLE_PROCESS_CALL(chroot, note_unrestorable("chroot"))
HEDDLE_PROCESS_CALL(setvbuf, if (is_standard_stream(reinterpret_cast<FILE*>(a))) touched_stream_buffers())
HEDDLE_PROCESS_CALL(setbuf, if (is_standard_stream(reinterpret_cast<FILE*>(a))) touched_stream_buffers())
HEDDLE_PROCESS_CALL(setbuffer, if (is_standard_stream(reinterpret_cast<FILE*>(a))) touched_stream_buffers())
HEDDLE_PROCESS_CALL(setlinebuf, if (is_standard_stream(reinterpret_cast<FILE*>(a))) touched_stream_buffers())
HEDDLE_PROCESS_CALL(hcreate, note_unrestorable("hcreate"))
HEDDLE_PROCESS_CALL(mallopt, note_unrestorable("mallopt"))
HEDDLE_PROCESS_CALL(mlockall, note_unrestorable("mlockall"))

// If libstdc++'s streams have their own buffers, they keep what they have read ahead.
HEDDLE_SHIM bool heddle_sync_with_stdio(bool sync) asm("_ZNSt8ios_base15sync_with_stdioEb");
bool heddle_sync_with_stdio(bool sync) {
  if (in_program() && !sync) note_unrestorable("std::ios::sync_with_stdio(false)");
  static constinit Real<bool(bool)> real{"_ZNSt8ios_base15sync_with_stdioEb"};
  return real(sync);
}

__attribute__((visibility("default"), used)) std::locale heddle_global_locale(const std::locale& locale) asm("_ZNSt6locale6globalERKS_");
std::locale heddle_global_locale(const std::locale& locale) {
  if (in_program()) note_unrestorable("std::locale::global");
  static const auto real = reinterpret_cast<std::locale (*)(const std::locale&)>(dlsym(RTLD_NEXT, "_ZNSt6locale6globalERKS_"));
  return real(locale);
}
