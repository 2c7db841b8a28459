#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <iterator>

#include "base/path.h"
#include "base/raw_syscall.h"
#include "intercept/descriptors/random_file.h"

namespace heddle::rt {
namespace {

constinit int g_numbers[16] = {};
constinit uint32_t g_count = 0;

bool is_random_file(int number) {
  char room[64];
  return path_of_number(number, room).ends_with(kRandomFileName);
}

}  // namespace

void find_early_random_files() {
  DIR* const files = opendir("/proc/self/fd");
  if (files == nullptr) return;
  while (const dirent* const entry = readdir(files)) {
    const int number = atoi(entry->d_name);
    if (entry->d_name[0] != '.' && g_count < std::size(g_numbers) && is_random_file(number)) g_numbers[g_count++] = number;
  }
  closedir(files);
}

// An execution may have closed one, and its number may be another file's now.
void rewind_early_random_files() {
  for (uint32_t i = 0; i < g_count; ++i) {
    if (is_random_file(g_numbers[i])) raw_syscall(SYS_lseek, word(g_numbers[i]), 0, SEEK_SET);
  }
}

}  // namespace heddle::rt
