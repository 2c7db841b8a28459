// heddle: expect=pass runs=300
// What looks like use after free and is none: blocks that come back from the allocator in every way, to other threads and in other sizes.
#include <heddle/heddle.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {
std::mutex m;

void churn(size_t size) {
  std::lock_guard lock(m);
  for (int i = 0; i < 4; ++i) {
    void* a = malloc(size);
    memset(a, 1, size);
    free(a);
    void* b = calloc(2, size);
    b = realloc(b, 3 * size);
    memset(b, 2, 3 * size);
    b = realloc(b, size / 2);
    memset(b, 3, size / 2);
    char* c = strdup("a copy made by the C library");
    c[2] = static_cast<char>(c[2] + 1);
    void* d = aligned_alloc(64, 256);
    memset(d, 4, 256);
    free(b);
    free(d);
    free(c);
    std::string text(size, 'x');
    text += text;
    std::vector<std::string> parts(i + 2, text);
    parts.erase(parts.begin());
    auto shared = std::make_shared<int>(i);
    const std::weak_ptr<int> weak = shared;
    shared.reset();
    if (!weak.expired()) abort();
  }
}
}  // namespace

HEDDLE_FUZZ_TEST(recycled) {
  std::thread a([] { churn(24); });
  std::thread b([] { churn(2000); });
  churn(100);
  a.join();
  b.join();
  churn(9000);
}
