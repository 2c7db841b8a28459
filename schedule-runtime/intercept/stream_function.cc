#include "intercept/stream_function.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <ostream>
#include <streambuf>
#include <string_view>

#include "intercept/library_access.h"

namespace heddle::rt {
namespace {

// The beginnings of names. They are members of std::ostream, std::istream and their wide forms, or take the stream as the first argument.
constexpr std::string_view kOnStreams[] = {
    "_ZNSo", "_ZNSi", "_ZNSt13basic_ostreamI", "_ZNSt13basic_istreamI", "_ZStls", "_ZStrs", "_ZSt16__ostream_insertI", "_ZSt4endlI", "_ZSt5flushI", "_ZSt7getlineI",
    "_ZNSt3__113basic_ostreamI", "_ZNSt3__113basic_istreamI",  // libc++, whose other functions are headers
};

constexpr const char* kStandardStreams[] = {"_ZSt3cin", "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt4wcin", "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog",
                                              "_ZNSt3__13cinE", "_ZNSt3__14coutE", "_ZNSt3__14cerrE", "_ZNSt3__14clogE",
                                              "_ZNSt3__14wcinE", "_ZNSt3__15wcoutE", "_ZNSt3__15wcerrE", "_ZNSt3__15wclogE"};
constexpr size_t kStandardCount = sizeof kStandardStreams / sizeof *kStandardStreams;
constinit uintptr_t g_standard[kStandardCount] = {};

bool is_standard(uintptr_t stream) {
  for (const uintptr_t standard : g_standard) {
    if (standard == stream) return true;
  }
  return false;
}

__attribute__((constructor)) void find_standard_streams() {
  for (size_t i = 0; i < kStandardCount; ++i) g_standard[i] = reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, kStandardStreams[i]));
}

// Those of libstdc++'s std::streambuf, behind its table of functions: begin, position and end for reading and for writing.
struct Positions {
  const void* at[6];
};

// The begin of libstdc++'s std::string.
struct Text {
  const void* at;
  size_t size;
};

// Null: the buffer has none, so each character goes to a function of the buffer, which may have a lock of its own. (Those of the standard streams are
// such buffers, and several streams may share them.)
const Positions* positions_of(uintptr_t stream) {
  const std::streambuf* const buffer = reinterpret_cast<const std::ostream*>(stream)->rdbuf();  // in an istream it is at the same place
  if (buffer == nullptr) return nullptr;
  const auto* const positions = reinterpret_cast<const Positions*>(reinterpret_cast<const char*>(buffer) + sizeof(void*));
  for (const void* const position : positions->at) {
    if (position != nullptr) return positions;
  }
  return nullptr;
}

}  // namespace

StreamFunction stream_function(const char* name) {
  const std::string_view function = name;
  const auto begins = [&](std::string_view beginning) { return function.starts_with(beginning); };
  const auto has = [&](std::string_view part) { return function.find(part) != function.npos; };
  if (begins("_ZNK") && has("stringstreamI") && has("3strE")) return StreamFunction::tells_text;
  if (begins("_ZNSt7__cxx11") && has("stringstreamI") && has("3strE")) return StreamFunction::changes;
  if (has("6sentry")) return StreamFunction::none;  // its first argument is the sentry
  if (std::none_of(std::begin(kOnStreams), std::end(kOnStreams), begins)) return StreamFunction::none;
  for (const std::string_view part : {"St3__1", "C1E", "C2E", "D0Ev", "D1Ev", "D2Ev"}) {
    if (has(part)) return StreamFunction::works;
  }
  const bool fills = (begins("_ZSt7getlineI") || begins("_ZStrsI")) && has("12basic_stringI");
  return fills ? StreamFunction::fills_text : StreamFunction::changes;
}

void stream_function_called(StreamFunction function, uintptr_t first, uintptr_t second, Place place) {
  const bool tells = function == StreamFunction::tells_text;
  const uintptr_t stream = tells ? second : first;
  const LibraryAccesses accesses(!tells, place);
  // Found before another thread can end the stream.
  const Positions* const positions = function != StreamFunction::works && !is_standard(stream) ? positions_of(stream) : nullptr;
  if (!is_standard(stream)) accesses(reinterpret_cast<const char*>(stream));
  if (positions != nullptr) accesses(positions);
  if (function == StreamFunction::fills_text) accesses(reinterpret_cast<const Text*>(second));
}

}  // namespace heddle::rt
