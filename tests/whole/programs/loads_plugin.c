#include <assert.h>
#include <dlfcn.h>

int main(int argc, char **argv) {
  void *plugin = dlopen(argv[argc - 1], RTLD_NOW);
  assert(plugin);
  int (*count)(int) = (int (*)(int))dlsym(plugin, "count_with_threads");
  assert(count && count(2) == 2);
  assert(dlclose(plugin) == 0);
  return 0;
}
