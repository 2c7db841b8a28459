#include "analyses/report/report_text.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "base/line.h"

namespace heddle::rt {

void Text::put(std::string_view text) {
  chars_.reserve(kCapacity);
  const size_t room = chars_.capacity() - chars_.size();
  const size_t n = text.size() < room ? text.size() : room;
  memcpy(chars_.end(), text.data(), n);
  chars_.resize(chars_.size() + n);
}

void Text::add(const char* format, ...) {
  char buffer[2048];
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  if (n > 0) put({buffer, n < static_cast<int>(sizeof buffer) ? static_cast<size_t>(n) : sizeof buffer - 1});
}

void Text::repeat(char c, size_t count) {
  while (count-- > 0) put({&c, 1});
}

void Text::flush(int fd) {
  write_all(fd, chars_.data(), chars_.size());
  chars_.clear();
}

}  // namespace heddle::rt
