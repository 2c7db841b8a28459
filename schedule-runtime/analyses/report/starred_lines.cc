#include "analyses/report/starred_lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <string_view>

#include "analyses/report/row_places.h"
#include "base/path.h"
#include "base/raw_syscall.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMost = 16;  // as many lines. The table has more stars only where rows repeat
constexpr size_t kLongestFile = 16 << 20;

struct StarredLine {
  const char* file;
  uint32_t order;  // of the file, as they come in the table
  uint32_t number;
};

bool look_at(const char* path, struct stat& file) {
  return raw_syscall(SYS_newfstatat, static_cast<uintptr_t>(AT_FDCWD), word(path), word(&file), 0) == 0;
}

bool later(const timespec& a, const timespec& b) { return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec; }

// A mapped file; empty: it is not there, or newer than the program.
class SourceFile {
 public:
  explicit SourceFile(const char* path) {
    struct stat program, file;
    if (!look_at("/proc/self/exe", program) || !look_at(path, file) || !S_ISREG(file.st_mode)) return;
    if (later(file.st_mtim, program.st_mtim) || file.st_size == 0 || static_cast<size_t>(file.st_size) > kLongestFile) return;
    const long fd = raw_syscall(SYS_openat, static_cast<uintptr_t>(AT_FDCWD), word(path), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    const long at = raw_syscall(SYS_mmap, 0, static_cast<uintptr_t>(file.st_size), PROT_READ, MAP_PRIVATE, static_cast<uintptr_t>(fd), 0);
    raw_syscall(SYS_close, static_cast<uintptr_t>(fd));
    if (at > 0 || at < -4095) text_ = {reinterpret_cast<const char*>(at), static_cast<size_t>(file.st_size)};
  }
  ~SourceFile() {
    if (!text_.empty()) raw_syscall(SYS_munmap, word(text_.data()), text_.size());
  }
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  // Without the white space around it.
  std::string_view line(uint32_t number) const {
    std::string_view rest = text_;
    for (uint32_t n = 1; n < number; ++n) {
      const size_t end = rest.find('\n');
      if (end == std::string_view::npos) return {};
      rest.remove_prefix(end + 1);
    }
    rest = rest.substr(0, rest.find('\n'));
    const size_t begin = rest.find_first_not_of(" \t\r"), end = rest.find_last_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view() : rest.substr(begin, end + 1 - begin);
  }

 private:
  std::string_view text_;
};

uint32_t find_lines(StarredLine (&lines)[kMost]) {
  uint32_t count = 0, files = 0;
  for (const Row& r : rows()) {
    if (!r.shown || !r.marked || count == kMost || own_site(site_of_row(r))) continue;
    const Frame& f = frame_of_row(r);
    if (f.file == nullptr || f.line == 0) continue;
    const auto same_file = [&](const StarredLine& l) { return strcmp(l.file, f.file) == 0; };
    const StarredLine *const begin = lines, *const end = begin + count;
    if (std::any_of(begin, end, [&](const StarredLine& l) { return same_file(l) && l.number == f.line; })) continue;
    const StarredLine* const known = std::find_if(begin, end, same_file);
    lines[count++] = {f.file, known != end ? known->order : files++, f.line};
  }
  std::sort(lines, lines + count, [](const StarredLine& a, const StarredLine& b) { return a.order != b.order ? a.order < b.order : a.number < b.number; });
  return count;
}

void put_text(Text& out, std::string_view text, size_t room) {
  constexpr std::string_view kCut = "...";
  const bool cut = text.size() > room;
  if (cut) text = text.substr(0, room - kCut.size());
  for (const char c : text) out.repeat(static_cast<unsigned char>(c) < ' ' ? ' ' : c, 1);
  if (cut) out.put(kCut);
}

}  // namespace

void put_starred_lines(Text& out, uint32_t width) {
  StarredLine lines[kMost];
  const uint32_t count = find_lines(lines);
  size_t widest = 0;
  char name[kMost][96];
  for (uint32_t i = 0; i < count; ++i) widest = std::max<size_t>(widest, snprintf(name[i], sizeof name[i], "%.80s:%u", base_name(lines[i].file), lines[i].number));
  bool heading = false;
  for (uint32_t i = 0; i < count;) {
    const SourceFile source(lines[i].file);
    for (const uint32_t order = lines[i].order; i < count && lines[i].order == order; ++i) {
      const std::string_view text = source.line(lines[i].number);
      if (text.empty()) continue;
      if (!heading) out.put("\nThe lines with a star:\n");
      heading = true;
      out.add("  %-*s  ", static_cast<int>(widest), name[i]);
      put_text(out, text, std::max<size_t>(width, widest + 24) - widest - 4);
      out.put("\n");
    }
  }
}

}  // namespace heddle::rt
