#include "analyses/report/demangled_name.h"

#include <algorithm>
#include <cstring>

namespace heddle::rt {
namespace {

constexpr size_t kLongArguments = 40;

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$'; }

// Reads a name from left to right. If a part turns out to be the result type, it is dropped at the space after it.
class Reader {
 public:
  Reader(std::string_view text, char* out, size_t size) : text_(text), out_(out), size_(size - 1) {}

  size_t read() {
    while (at_ < text_.size() && step()) {
    }
    out_[n_] = 0;
    return n_;
  }

 private:
  // False: the name is complete.
  bool step() {
    const char c = text_[at_];
    if (operator_is_here()) {
      put_operator();
    } else if (takes("(anonymous namespace)::")) {  // ClusterFuzz leaves it out, too
    } else if (takes("'lambda")) {
      const bool first = rest().starts_with("'");  // then 'lambda0', 'lambda1'
      put_lambda(first ? 1 : number() + 2);
      skip_behind('\'');
    } else if (takes("{lambda")) {
      skip_behind('#');
      put_lambda(number());
      skip_behind('}');
    } else if (c == '(') {
      if (n_ == 0) return false;  // the result is a pointer to a function: the name is left unchanged
      at_ = behind_brackets(at_);
      if (!rest().starts_with("::") && std::string_view{out_, n_} != "decltype") return false;
    } else if (c == '<') {
      const size_t end = behind_brackets(at_);
      if (end - at_ > kLongArguments) put("<...>");
      else put(text_.substr(at_, end - at_));
      at_ = end;
    } else if (c == ' ') {
      n_ = 0;
      ++at_;
    } else if (c == '[') {
      return false;  // [abi:...], [clone ...]
    } else {
      put(text_.substr(at_++, 1));
    }
    return true;
  }

  std::string_view rest() const { return text_.substr(at_); }

  bool takes(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  size_t number() {
    size_t n = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') n = 10 * n + static_cast<size_t>(text_[at_++] - '0');
    return n;
  }

  bool operator_is_here() const {
    constexpr std::string_view kWord = "operator";
    return rest().starts_with(kWord) && (at_ == 0 || !is_word(text_[at_ - 1])) && rest().size() > kWord.size() && !is_word(rest()[kWord.size()]);
  }

  // With its sign or its type. If it is a lambda's type, the lambda.
  void put_operator() {
    const size_t begin = at_;
    at_ += strlen("operator");
    const bool call = takes("()");
    while (!call && at_ < text_.size() && text_[at_] != '(') ++at_;
    const std::string_view before{out_, n_};
    const bool of_lambda = call && before.ends_with("::") && last_is_lambda(before.substr(0, n_ - 2));
    if (of_lambda) n_ -= 2;
    else put(text_.substr(begin, at_ - begin));
    if (at_ < text_.size() && text_[at_] == '<') at_ = behind_brackets(at_);
  }

  static bool last_is_lambda(std::string_view scope) {
    const size_t colon = scope.rfind("::");
    const std::string_view last = colon == std::string_view::npos ? scope : scope.substr(colon + 2);
    return last.starts_with("$_") || last.starts_with("lambda");
  }

  void put_lambda(size_t nth) {
    put("lambda");
    if (nth < 2) return;
    put("#");
    char digits[24];
    size_t i = sizeof digits;
    for (; nth != 0; nth /= 10) digits[--i] = static_cast<char>('0' + nth % 10);
    put({digits + i, sizeof digits - i});
  }

  void skip_behind(char c) { at_ = std::min(text_.find(c, at_), text_.size() - 1) + 1; }

  // The angle bracket of an arrow or a comparison closes nothing. (Those in a function's name were already read by put_operator().)
  size_t behind_brackets(size_t at) const {
    size_t depth = 0;
    for (; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
      const bool closes = c == ')' || c == '}' || c == ']' || (c == '>' && text_[at - 1] != '-');
      if (closes && --depth == 0) return at + 1;
    }
    return at;
  }

  void put(std::string_view text) {
    const size_t n = std::min(text.size(), size_ - n_);
    memcpy(out_ + n_, text.data(), n);
    n_ += n;
  }

  const std::string_view text_;
  char* const out_;
  const size_t size_;
  size_t at_ = 0, n_ = 0;
};

}  // namespace

size_t put_qualified_name(std::string_view demangled, char* out, size_t size) {
  const size_t n = Reader(demangled, out, size).read();
  if (n != 0) return n;
  const size_t whole = std::min(demangled.size(), size - 1);
  memcpy(out, demangled.data(), whole);
  out[whole] = 0;
  return whole;
}

}  // namespace heddle::rt
