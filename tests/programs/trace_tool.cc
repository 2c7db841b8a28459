// Recorded runs for test scripts: `hash FILE...` prints one hash per line; `compare FILE FILE...` says whether all are the same
// run as the first, and if not where they part (exit code 1); `show FILE` prints one as text; `figures FILE` its sizes.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "schema/trace_file.h"

namespace {

heddle::StoredTrace load(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) {
    std::fprintf(stderr, "trace_tool: cannot read %s\n", path);
    std::exit(2);
  }
  std::vector<uint8_t> bytes;
  uint8_t buffer[65536];
  while (const size_t n = std::fread(buffer, 1, sizeof buffer, file)) bytes.insert(bytes.end(), buffer, buffer + n);
  std::fclose(file);
  heddle::StoredTrace trace;
  if (!heddle::decode_trace(bytes, trace)) {
    std::fprintf(stderr, "trace_tool: %s is not a trace\n", path);
    std::exit(2);
  }
  return trace;
}

// The line of the text form for event `index`.
std::string line_of(const heddle::StoredTrace& trace, size_t index) {
  if (index >= trace.events.size()) return "(its end)";
  const heddle::Event& e = trace.events[index];
  char text[200];
  std::snprintf(text, sizeof text, "thread %u %s site %016" PRIx64 " object %u occurrence %u outcome %u", e.thread,
                std::string(heddle::kind_info(e.kind).name).c_str(), e.site, e.object, e.occurrence,
                static_cast<unsigned>(e.outcome));
  return text;
}

int compare(int count, char** paths) {
  const heddle::StoredTrace first = load(paths[0]);
  int result = 0;
  for (int i = 1; i < count; ++i) {
    const heddle::StoredTrace other = load(paths[i]);
    if (heddle::trace_hash(first.summary()) == heddle::trace_hash(other.summary())) continue;
    const size_t at = heddle::first_difference(first.summary(), other.summary());
    std::printf("%s and %s differ at event %zu (of %zu and %zu): %s; %s\n", paths[0], paths[i], at, first.events.size(),
                other.events.size(), line_of(first, at).c_str(), line_of(other, at).c_str());
    result = 1;
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: trace_tool hash|compare|show|figures FILE...\n");
    return 2;
  }
  const std::string command = argv[1];
  if (command == "compare") return compare(argc - 2, argv + 2);
  for (int i = 2; i < argc; ++i) {
    const heddle::StoredTrace trace = load(argv[i]);
    if (command == "hash") {
      std::printf("%016" PRIx64 " %s\n", heddle::trace_hash(trace.summary()), argv[i]);
    } else if (command == "show") {
      std::fputs(heddle::trace_to_text(trace.summary()).c_str(), stdout);
    } else if (command == "figures") {
      std::printf("%zu events, %zu threads, %zu objects, %zu sites, %zu races\n", trace.events.size(), trace.threads.size(),
                  trace.objects.size(), trace.sites.size(), trace.races.size());
    } else {
      std::fprintf(stderr, "trace_tool: unknown command '%s'\n", argv[1]);
      return 2;
    }
  }
  return 0;
}
