// The words of one line of a schedule's text, read from left to right: numbers, threads, kinds, sites, patterns. If a take_* fails, it has
// written one line that tells what is wrong, and where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schedule.h"
#include "schema/text.h"
#include "schema/text_lex.h"

namespace heddle::text {

class LineReader {
 public:
  // `names` may be null. Then sites must be numbers.
  explicit LineReader(const SiteNames* names) : names_(names) {}

  // Starts the next line. False: a quote is not closed.
  bool begin_line(std::string_view line);
  // Always false.
  bool fail(const std::string& what);
  const std::string& error() const { return error_; }
  size_t line() const { return line_; }

  bool empty() const { return words_.empty(); }
  std::string_view first() const { return words_[0]; }
  bool at_end() const { return next_ == words_.size(); }
  std::string_view peek() const { return at_end() ? std::string_view() : words_[next_]; }
  void pass() { ++next_; }

  // `what` is for the error message: what was expected.
  bool take_word(std::string_view what, std::string_view& out);
  bool take_exact(std::string_view word);
  // True if the next word is that word; then it is read.
  bool skip(std::string_view word);
  template <typename T>
  bool take_number(std::string_view what, uint64_t max, T& out) {
    std::string_view word;
    return take_word(what, word) && number(word, what, max, out);
  }
  bool take_thread(ThreadId& out);
  bool take_kind(Kind& out);
  // "@0x9a3f", "@queue.cc:41", "@_Zfoo+0x1c", "@"Queue::push(int, int)""
  bool take_site(SiteId& out);
  // <thread> <kind> <site> [object N] [#N] [context N]
  bool take_pattern(Element& e);
  // A candidate of a choice; "default" gives -1.
  bool take_choice(int32_t& out);
  // One of names(0) to names(count - 1). `out` is its number.
  template <typename Name>
  bool take_name(std::string_view what, const Name& names, size_t count, size_t& out) {
    std::string_view word;
    if (!take_word(what, word)) return false;
    std::string all;
    for (out = 0; out < count; ++out) {
      if (names(out) == word) return true;
      all += (out == 0 ? "" : ", ") + std::string(names(out));
    }
    return fail(shown(word) + " is not " + std::string(what) + "; write one of " + all);
  }

 protected:
  // A word in the form for an error message.
  static std::string shown(std::string_view word);

 private:
  template <typename T>
  bool number(std::string_view word, std::string_view what, uint64_t max, T& out) {
    uint64_t value = 0;
    if (!parse_number(word, max, value)) {
      return fail(shown(word) + " is not " + std::string(what) + "; write a number from 0 to " + std::to_string(max) + ", decimal or 0x...");
    }
    out = static_cast<T>(value);
    return true;
  }
  bool thread(std::string_view word, ThreadId& out);
  bool take_thread_pattern(Element& e);
  bool named_site(std::string_view name, SiteId& out);
  std::string candidates(const std::vector<SiteId>& sites) const;

  const SiteNames* names_;
  std::string error_;
  std::vector<std::string_view> words_;
  size_t next_ = 0;
  size_t line_ = 0;
};

}  // namespace heddle::text
