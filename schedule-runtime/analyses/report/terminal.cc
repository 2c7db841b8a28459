#include "analyses/report/terminal.h"

#include <asm/termbits.h>
#include <asm/ioctls.h>
#include <sys/syscall.h>

#include <cstdlib>
#include <cstring>

#include "base/options.h"
#include "base/raw_syscall.h"

namespace heddle::rt {
namespace {

constexpr std::string_view kEnd = "\033[0m", kBold = "\033[1m", kBoldRed = "\033[1;31m", kYellow = "\033[33m";

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
bool starts(std::string_view text, std::string_view part) { return text.substr(0, part.size()) == part; }

// By the marks, which say the same to readers without colours.
std::string_view style_of(std::string_view line, bool in_table) {
  if (starts(line, "SUMMARY: ") || has(line, "==ERROR: HeddleSanitizer: ")) return kBoldRed;
  if (!in_table) return {};
  const size_t mark = line.find('*');
  if (mark == std::string_view::npos || mark == 0 || line[mark - 1] != ' ') return {};
  const std::string_view cell = line.substr(mark + 1);
  return starts(cell, "HERE: ") ? kBoldRed : starts(cell, "BLOCKED: ") ? kYellow : kBold;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Other characters would have to be escaped in an address.
bool in_path(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || (c != 0 && strchr("/._-+~@", c) != nullptr); }

void put_link(Text& out, std::string_view path, std::string_view line, std::string_view shown) {
  out.put("\033]8;;file://");
  out.put(path);
  out.put("#");
  out.put(line);
  out.put("\033\\");
  out.put(shown);
  out.put("\033]8;;\033\\");
}

size_t digits_at(std::string_view text, size_t at) {
  size_t n = 0;
  while (at + n < text.size() && is_digit(text[at + n])) ++n;
  return n;
}

// "/src/queue.cc:41:3" anywhere, and "(:41" in the table.
void put_with_links(Text& out, std::string_view line, const char* file) {
  size_t at = 0;
  while (at < line.size()) {
    const bool begins = at == 0 || line[at - 1] == ' ' || line[at - 1] == '(';
    if (begins && line[at] == '/') {
      size_t end = at;
      while (end < line.size() && in_path(line[end])) ++end;
      const size_t digits = end < line.size() && line[end] == ':' ? digits_at(line, end + 1) : 0;
      if (digits != 0) {
        const size_t past = end + 1 + digits;
        put_link(out, line.substr(at, end - at), line.substr(end + 1, digits), line.substr(at, past - at));
        at = past;
        continue;
      }
    }
    if (file != nullptr && at != 0 && line[at - 1] == '(' && line[at] == ':') {
      if (const size_t digits = digits_at(line, at + 1)) {
        put_link(out, file, line.substr(at + 1, digits), line.substr(at, 1 + digits));
        at += 1 + digits;
        continue;
      }
    }
    out.put(line.substr(at++, 1));
  }
}

bool fit_for_link(const char* file) {
  if (file == nullptr || file[0] != '/') return false;
  for (const char* c = file; *c != 0; ++c) {
    if (!in_path(*c)) return false;
  }
  return true;
}

}  // namespace

Terminal report_terminal() {
  struct termios settings;
  const bool terminal = raw_syscall(SYS_ioctl, 2, TCGETS, word(&settings)) == 0;
  const char* const type = getenv("TERM");
  const char* const none = getenv("NO_COLOR");
  const bool able = terminal && type != nullptr && strcmp(type, "dumb") != 0;
  const Choice wanted = options().color;
  const bool colours = wanted == Choice::automatic ? able && (none == nullptr || *none == 0) : wanted == Choice::yes;
  return {colours, able && colours};
}

void put_for_terminal(Text& out, std::string_view report, Terminal terminal, const char* file) {
  bool in_table = false;
  const char* const linked = terminal.links && fit_for_link(file) ? file : nullptr;
  while (!report.empty()) {
    const size_t end = report.find('\n');
    const std::string_view line = report.substr(0, end);
    report = end == std::string_view::npos ? std::string_view{} : report.substr(end + 1);
    if (starts(line, "The interleaving, ")) in_table = true;
    if (starts(line, "Threads:")) in_table = false;
    const std::string_view style = terminal.colours ? style_of(line, in_table) : std::string_view{};
    out.put(style);
    if (terminal.links) put_with_links(out, line, in_table ? linked : nullptr);
    else out.put(line);
    if (!style.empty()) out.put(kEnd);
    if (end != std::string_view::npos) out.put("\n");
  }
}

}  // namespace heddle::rt
