// The main() of a target that is linked without a fuzzing engine: runs the given files, one after the other.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);

// Tells the driver which main() this is.
extern "C" const char heddle_only_runs_files = 1;

// libFuzzer's byte mutator, which the adapter refers to. Nothing mutates here.
extern "C" size_t LLVMFuzzerMutate(uint8_t*, size_t, size_t) { return 0; }

namespace {

// No container, because this object is linked with either C++ library, like heddle_rt.o.
struct Input {
  uint8_t* data = nullptr;
  size_t size = 0;
  ~Input() { std::free(data); }
};

bool read_file(const char* path, Input& out) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  bool good = true;
  for (size_t room = 65536;; room *= 2) {
    auto* const more = static_cast<uint8_t*>(std::realloc(out.data, room));
    good = more != nullptr;
    if (!good) break;
    out.data = more;
    out.size += std::fread(out.data + out.size, 1, room - out.size, file);
    if (out.size < room) break;
  }
  good = good && std::ferror(file) == 0;
  std::fclose(file);
  return good;
}

}  // namespace

extern "C" int LLVMFuzzerRunDriver(int* argc_pointer, char*** argv_pointer, int (*body)(const uint8_t* data, size_t size)) {
  LLVMFuzzerInitialize(argc_pointer, argv_pointer);
  const int argc = *argc_pointer;
  char** const argv = *argv_pointer;
  if (argc < 2) {
    std::fprintf(stderr, "heddle: no file given; usage: %s FILE..., each is run once\n", argv[0]);
    return 2;
  }
  long runs = 1;
  for (int i = 1; i < argc; ++i) {
    // The same options as libFuzzer's, so that the same command line replays a file with either engine. Other such options are ignored
    // here.
    if (std::sscanf(argv[i], "-runs=%ld", &runs) == 1 || argv[i][0] == '-') continue;
    Input input;
    if (!read_file(argv[i], input)) {
      std::fprintf(stderr, "heddle: cannot read %s\n", argv[i]);
      return 2;
    }
    for (long n = 0; n < runs; ++n) body(input.data, input.size);
    std::fprintf(stderr, "heddle: ran %s\n", argv[i]);
  }
  return 0;
}
