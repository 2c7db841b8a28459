// heddle: expect=pass runs=300
// Blocks from everywhere, freed once: by the program, by libraries, by other threads than the one that allocated; the same addresses again and
// again; blocks from before the first execution; blocks whose first owner is a library.
#include <heddle/heddle.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

std::string early = "made before the first execution, and longer than the small buffer";
char* early_block = static_cast<char*>(malloc(30));
std::vector<int>* early_vector = new std::vector<int>(100);

struct alignas(64) Wide {
  char bytes[64];
};
struct WithDestructor {
  std::string name = "long enough that it needs a block of its own";
};

void c_functions() {
  void* p = malloc(10);
  p = realloc(p, 20);
  p = realloc(p, 100'000);  // moves
  p = realloc(p, 50);
  free(p);
  p = reallocarray(nullptr, 3, 5);
  p = reallocarray(p, 30, 500);
  free(p);
  p = malloc(24);
  if (realloc(p, 0) != nullptr) __builtin_trap();  // frees it
  free(calloc(3, 7));
  free(memalign(128, 5));
  free(aligned_alloc(64, 64));
  free(valloc(1));
  free(pvalloc(1));
  if (posix_memalign(&p, 32, 10) == 0) free(p);
  free(strdup("a"));
  free(strndup("abc", 2));
  char* text = nullptr;
  if (asprintf(&text, "%d", 7) > 0) free(text);
  size_t size = 0;
  FILE* stream = open_memstream(&text, &size);
  fprintf(stream, "%0500d", 7);
  fclose(stream);
  free(text);
  char lines[] = "one\na much longer second line, for which the buffer has to grow ......................................................"
                 "..............................................\n";
  stream = fmemopen(lines, sizeof lines - 1, "r");
  text = nullptr;
  size = 0;
  while (getline(&text, &size, stream) > 0) continue;
  free(text);
  fclose(stream);
  free(nullptr);
}

void cxx() {
  delete new int(1);
  delete[] new WithDestructor[3];
  delete new Wide;
  delete[] new Wide[2];
  std::unique_ptr<int[]> array(new int[10]);
  std::map<int, std::string> map;
  for (int i = 0; i < 20; ++i) map[i] = std::to_string(i) + " and some more text, so that it does not fit";
  map.erase(map.begin(), map.end());
  std::ostringstream out;
  out << 3.5 << ' ' << early;
  (void)out.str();
  std::function<int()> f = [big = Wide{}, v = std::make_shared<int>(3)] { return *v + big.bytes[0]; };
  (void)f();
  std::locale other(std::locale(), new std::numpunct<char>);
}

}  // namespace

HEDDLE_FUZZ_TEST(every_way) {
  std::atomic<char*> handed{nullptr};
  std::thread other([&] {
    c_functions();
    for (int i = 0; i < 10; ++i) free(handed.exchange(static_cast<char*>(malloc(40))));
    cxx();
  });
  for (int i = 0; i < 10; ++i) free(handed.exchange(nullptr));
  cxx();
  other.join();
  free(handed);
  c_functions();
  early += "and longer";
  early = {};
  free(early_block);
  delete early_vector;
  free(valloc(40));
}
