#include "intercept/stream_function.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
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

// Of a std::streambuf: begin, position and end for reading and for writing.
struct Positions {
  const void* at[6];
};

// The begin of libstdc++'s std::string.
struct Text {
  const void* at;
  size_t size;
};

// Where each library has them, in the ABI that its names stand for (std::__cxx11, std::__1). heddle itself knows the headers of one only.
struct Layout {
  size_t buffer;     // std::ios: the address of its buffer
  size_t positions;  // std::streambuf
};
constexpr Layout kLibstdcxx = {232, 8}, kLibcxx = {40, 16};

// The base class std::ios of a std::ostream or std::istream is virtual: how far it is away is in the table of functions.
uintptr_t ios_of(uintptr_t stream) {
  constexpr ptrdiff_t kDistance = -3;
  return stream + (*reinterpret_cast<const ptrdiff_t* const*>(stream))[kDistance];
}

// Null: the buffer has none, so each character goes to a function of the buffer, which may have a lock of its own. (Those of the standard streams are
// such buffers, and several streams may share them.)
const Positions* positions_of(uintptr_t stream, const Layout& layout) {
  const uintptr_t buffer = *reinterpret_cast<const uintptr_t*>(ios_of(stream) + layout.buffer);
  if (buffer == 0) return nullptr;
  const auto* const positions = reinterpret_cast<const Positions*>(buffer + layout.positions);
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
  if (has("stringstreamI") && has("3strE") && begins("_ZNK")) return {StreamFunction::tells_text};
  if (has("stringstreamI") && has("3strE") && begins("_ZNSt7__cxx11")) return {StreamFunction::changes};
  if (has("15basic_stringbufI") && has("3strE") && begins("_ZNK")) return {StreamFunction::buffer_tells_text, has("St3__1")};
  if (std::none_of(std::begin(kOnStreams), std::end(kOnStreams), begins)) return {};
  const bool libcxx = has("St3__1"), makes = has("C1E") || has("C2E"), ends = has("D0Ev") || has("D1Ev") || has("D2Ev");
  if (has("6sentry")) return {libcxx && makes ? StreamFunction::guards : StreamFunction::nothing, libcxx};
  if (makes || ends) return {StreamFunction::works, libcxx};
  const bool fills = (begins("_ZSt7getlineI") || begins("_ZStrsI")) && has("12basic_stringI");
  return {fills ? StreamFunction::fills_text : StreamFunction::changes, libcxx};
}

void stream_function_called(StreamFunction function, uintptr_t first, uintptr_t second, Place place) {
  const Layout& layout = function.of_libcxx ? kLibcxx : kLibstdcxx;
  if (function.what == StreamFunction::buffer_tells_text) {
    return LibraryAccesses(false, place)(reinterpret_cast<const Positions*>(second + layout.positions));
  }
  const bool tells = function.what == StreamFunction::tells_text;
  const uintptr_t stream = tells || function.what == StreamFunction::guards ? second : first;
  const LibraryAccesses accesses(!tells, place);
  if (stream != 0 && !is_standard(stream)) {
    accesses(reinterpret_cast<const char*>(stream));  // first: a freed stream is reported here, and has no buffer any more
    if (function.what != StreamFunction::works) accesses(positions_of(stream, layout));
  }
  if (function.what == StreamFunction::fills_text) accesses(reinterpret_cast<const Text*>(second));
}

}  // namespace heddle::rt
