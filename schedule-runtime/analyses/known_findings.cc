#include "analyses/known_findings.h"

#include "analyses/option_file.h"
#include "analyses/report/positions.h"
#include "analyses/report/symbolizer.h"
#include "base/line.h"
#include "base/options.h"
#include "base/reserved_array.h"

namespace heddle::rt {
namespace {

constinit ReservedArray<uint64_t> g_known;

constexpr size_t kDigits = 16;

int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

void show(const Story& story, uint64_t signature) {
  static constinit Text line;
  line.clear();
  line.add("heddle: known finding: %016llx %s", static_cast<unsigned long long>(signature), finding_name(story.type));
  if (story.stack_count != 0) {
    line.put(" ");
    put_place_of_operation(line, story.stacks[0].position, story.stacks[0].context);
  }
  line.put("\n");
  line.flush(2);
  stop_symbolizer();  // where descriptors are put back between executions its pipes would be closed
}

}  // namespace

uint64_t signature_of(std::string_view line, const char*& why) {
  constexpr std::string_view kReports = "Signature:";
  if (line.starts_with(kReports)) line.remove_prefix(kReports.size());
  line = line.substr(0, line.find('#'));
  line = next_line(line);
  if (line.empty()) return 0;
  uint64_t signature = 0;
  bool right = line.size() == kDigits;
  for (const char c : line) {
    right = right && digit(c) >= 0;
    signature = signature << 4 | static_cast<uint64_t>(digit(c) & 15);
  }
  if (!right) why = "expected a signature: 16 hexadecimal digits";
  return right ? signature : 0;
}

void load_known_findings() {
  const char* const path = options().known;
  if (path[0] == 0) return;
  std::string_view text = read_option_file("known", path);
  g_known.reserve(kMostKnown);
  for (size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = next_line(text);
    const char* why = nullptr;
    const uint64_t signature = signature_of(line, why);
    if (signature != 0 && g_known.full()) why = "more than 4,096 signatures";
    if (why != nullptr) refuse_option_file("known", path, number, why, line);
    if (signature != 0) g_known.push() = signature;
  }
}

bool known_finding(const Story& story, uint64_t signature, KnownCounts& counts) {
  for (size_t i = 0; i < g_known.size(); ++i) {
    if (g_known[i] != signature) continue;
    ++counts.all;
    if (counts.of[i]++ == 0) show(story, signature);
    return true;
  }
  return false;
}

void print_known_statistics(int fd, const KnownCounts& counts) {
  for (size_t i = 0; i < g_known.size(); ++i) {
    if (counts.of[i] != 0) print_line(fd, "heddle: known: %u %016llx\n", counts.of[i], static_cast<unsigned long long>(g_known[i]));
  }
}

}  // namespace heddle::rt
