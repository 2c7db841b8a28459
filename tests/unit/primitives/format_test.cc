// The walk over a format finds what the C library finds: random formats, with the library as the judge.
#include "intercept/stdio/format.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <memory>
#include <string>
#include <vector>

namespace heddle::test {
namespace {

using rt::FormatArgument;
using Sort = FormatArgument::Sort;

// Arguments made at run time: a list whose registers are used up takes all from memory, in words.
#if defined(__x86_64__)
class Arguments {
 public:
  void word(uint64_t w) { words_.push_back(w); }
  void real(double d) {
    word(0);
    memcpy(&words_.back(), &d, sizeof d);
  }
  void long_real(long double d) {
    if (words_.size() % 2 != 0) word(0);  // aligned
    words_.resize(words_.size() + 2);
    memcpy(&words_[words_.size() - 2], &d, 10);
  }
  void* pointer() {
    places_.push_back(std::make_unique<Room>());
    memset(places_.back()->bytes, 0xA5, sizeof(Room));
    word(reinterpret_cast<uint64_t>(places_.back()->bytes));
    return places_.back()->bytes;
  }
  template <typename Call>
  auto pass(Call call) {
    base_ = std::make_unique<Word16[]>(words_.size() / 2 + 1);
    memcpy(base_.get(), words_.data(), words_.size() * 8);
    va_list list;
    list[0] = {48, 176, base_.get(), nullptr};
    return call(list);
  }
  static constexpr size_t kRoom = 64;

 private:
  struct Room { alignas(16) unsigned char bytes[kRoom]; };
  struct alignas(16) Word16 { uint64_t w[2]; };
  std::vector<uint64_t> words_;
  std::vector<std::unique_ptr<Room>> places_;
  std::unique_ptr<Word16[]> base_;
};

std::string one_of(std::initializer_list<const char*> words) { return *rc::gen::elementOf(std::vector<std::string>(words.begin(), words.end())); }
int within(int low, int high) { return *rc::gen::inRange(low, high); }

// "123", "*" or nothing.
std::string number(Arguments& arguments, int least) {
  switch (within(0, 3)) {
    case 0: return "";
    case 1: return std::to_string(within(1, 20));
    default: arguments.word(static_cast<uint32_t>(within(least, 20))); return "*";
  }
}

// The same format of wide characters takes the same arguments.
template <template <typename> typename Walk>
void wide_walk_agrees(const std::string& format, Arguments& arguments) {
  const std::wstring wide(format.begin(), format.end());
  std::vector<std::pair<void*, size_t>> narrow_found, wide_found;
  const auto walk = [&](const auto* text, auto& found) {
    arguments.pass([&](va_list list) {
      Walk walk(text, list);
      for (FormatArgument a; walk.next(a);) found.emplace_back(a.at, a.size);
    });
  };
  walk(format.c_str(), narrow_found);
  walk(wide.c_str(), wide_found);
  RC_ASSERT((narrow_found == wide_found));
}

// What stands between < and > in the output came from a string.
RC_GTEST_PROP(Format, PrintFindsTheStringsAndTheCounts, ()) {
  static const char* const kTexts[] = {"", "a", "heddle", "a longer one with %s in it"};
  Arguments arguments;
  std::string format;
  struct Count { void* at; size_t size; };
  std::vector<Count> counts;
  for (int i = within(0, 8); i > 0; --i) {
    const std::string flags = one_of({"", "-", "+", " ", "#", "0", "'", "-#", "+0"});
    switch (within(0, 7)) {
      case 0: {
        format += "%" + flags + number(arguments, -5);
        if (within(0, 2) == 0) format += "." + number(arguments, -5);
        const std::string length = one_of({"", "hh", "h", "l", "ll", "q", "j", "z", "Z", "t", "L"});
        format += length + one_of({"d", "i", "o", "u", "x", "X"});
        arguments.word(static_cast<uint64_t>(within(-1000, 1000)));
        break;
      }
      case 1: {
        format += "%" + flags + number(arguments, -5);
        if (within(0, 2) == 0) format += "." + number(arguments, -5);
        const bool longer = within(0, 2) == 0;
        format += (longer ? one_of({"L", "ll", "q"}) : one_of({"", "l"})) + one_of({"e", "f", "g", "a", "E", "F", "G", "A"});
        if (longer) arguments.long_real(within(-9, 9));
        else arguments.real(within(-9, 9));
        break;
      }
      case 2: format += "%c", arguments.word(static_cast<uint64_t>(within('a', 'z'))); break;
      case 3: format += "%p", arguments.word(0x1234); break;
      case 4: format += one_of({"%%", "text", "%m"}); break;
      case 5: {
        const std::string length = one_of({"", "hh", "h", "l", "ll", "j", "z", "t"});
        const size_t size = length.empty() ? 4 : length == "hh" ? 1 : length == "h" ? 2 : 8;
        format += "%" + length + "n";
        counts.push_back({arguments.pointer(), size});
        break;
      }
      default: {
        format += "<%";
        if (within(0, 2) == 0) format += "." + number(arguments, -5);
        format += "s>";
        arguments.word(reinterpret_cast<uint64_t>(kTexts[within(0, 4)]));
      }
    }
  }
  std::vector<std::string> found;
  std::vector<FormatArgument> values;
  arguments.pass([&](va_list list) {
    rt::PrintFormat walk(format.c_str(), list);
    for (FormatArgument a; walk.next(a);) {
      if (a.sort == Sort::value) values.push_back(a);
      else found.emplace_back(static_cast<char*>(a.at), strnlen(static_cast<char*>(a.at), a.size));
    }
  });
  wide_walk_agrees<rt::PrintFormat>(format, arguments);
  char out[4096];
  const int n = arguments.pass([&](va_list list) { return vsnprintf(out, sizeof out, format.c_str(), list); });
  RC_LOG() << format << "\n";
  RC_ASSERT(n >= 0 && n < static_cast<int>(sizeof out));
  std::vector<std::string> printed;
  for (const char* at = out; (at = strchr(at, '<')) != nullptr;) {
    const char* const end = strchr(at, '>');
    printed.emplace_back(at + 1, end);
    at = end;
  }
  RC_ASSERT(found == printed);
  RC_ASSERT(values.size() == counts.size());
  for (size_t i = 0; i < counts.size(); ++i) {
    RC_ASSERT((values[i].at == counts[i].at));
    RC_ASSERT(values[i].size == counts[i].size);
    const auto* const bytes = static_cast<unsigned char*>(counts[i].at);
    RC_ASSERT(bytes[counts[i].size] == 0xA5);
    if (counts[i].size > 1) RC_ASSERT(bytes[counts[i].size - 1] == 0);
  }
}

// The same arguments in another order, by their positions.
RC_GTEST_PROP(Format, PositionsFindTheSame, ()) {
  Arguments arguments;
  struct Piece { std::string end; void* text; size_t size; };
  std::vector<Piece> pieces;
  for (int i = within(1, 10); i > 0; --i) {
    switch (within(0, 4)) {
      case 0: arguments.word(1), pieces.push_back({"ld", nullptr, 0}); break;
      case 1: arguments.real(1.5), pieces.push_back({"f", nullptr, 0}); break;
      case 2: arguments.long_real(2.5), pieces.push_back({"Lg", nullptr, 0}); break;
      default: {
        const int precision = within(-1, 9);
        const bool bounded = precision >= 0;
        pieces.push_back({(bounded ? "." + std::to_string(precision) : "") + "s", arguments.pointer(), bounded ? static_cast<size_t>(precision) : SIZE_MAX});
        static_cast<char*>(pieces.back().text)[3] = 0;
      }
    }
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < pieces.size(); ++i) order.insert(order.begin() + within(0, static_cast<int>(i) + 1), i);
  std::string format;
  std::vector<std::pair<void*, size_t>> wanted, found;
  for (const size_t i : order) {
    format += "%" + std::to_string(i + 1) + "$" + pieces[i].end;
    if (pieces[i].text != nullptr) wanted.emplace_back(pieces[i].text, pieces[i].size);
  }
  RC_LOG() << format << "\n";
  arguments.pass([&](va_list list) {
    rt::PrintFormat walk(format.c_str(), list);
    for (FormatArgument a; walk.next(a);) found.emplace_back(a.at, a.size);
  });
  RC_ASSERT((found == wanted));
  wide_walk_agrees<rt::PrintFormat>(format, arguments);
}

// What a scan has changed are the arguments that it counts, each with all the bytes that the walk gives it.
RC_GTEST_PROP(Format, ScanFindsWhatIsWritten, ()) {
  Arguments arguments;
  std::string format, input;
  std::vector<unsigned char*> places;
  for (int i = within(1, 6); i > 0; --i) {
    const bool kept = within(0, 4) != 0, matches = within(0, 8) != 0;
    const std::string star = kept ? "" : "*";
    const std::string length = one_of({"", "hh", "h", "l", "ll", "q", "j", "z", "Z", "t", "L"});
    switch (within(0, 5)) {
      case 0: format += "%" + star + length + one_of({"d", "i", "o", "u", "x"}), input += matches ? " 12" : " -"; break;
      case 1: format += " %" + star + one_of({"", "l", "L", "ll"}) + one_of({"e", "f", "g", "a"}), input += matches ? " 1.5" : " -"; break;
      case 2: format += " %" + star + one_of({"3", "20", ""}) + "s", input += matches ? " word" : " "; break;
      case 3: format += " %" + star + one_of({"[a-z]", "[]a-z]", "[^]0-9 ]", "5[a-z]"}), input += matches ? " abc" : " 9"; break;
      default: format += " %" + star + one_of({"", "2"}) + "c", input += " xy"; break;
    }
    if (kept) places.push_back(static_cast<unsigned char*>(arguments.pointer()));
  }
  const int count = arguments.pass([&](va_list list) { return vsscanf(input.c_str(), format.c_str(), list); });
  RC_LOG() << format << " of \"" << input << "\": " << count << "\n";
  wide_walk_agrees<rt::ScanFormat>(format, arguments);
  std::vector<size_t> written(places.size(), 0);
  arguments.pass([&](va_list list) {
    rt::ScanFormat walk(format.c_str(), list);
    FormatArgument a;
    for (int i = 0; i < count && walk.next(a); ++i) {
      RC_ASSERT((a.at == places[static_cast<size_t>(i)]));
      RC_ASSERT(a.counted);
      written[static_cast<size_t>(i)] = a.sort == Sort::text ? strlen(static_cast<char*>(a.at)) + 1 : a.size;
    }
  });
  for (size_t i = 0; i < places.size(); ++i) {
    size_t changed = Arguments::kRoom;
    while (changed > 0 && places[i][changed - 1] == 0xA5) --changed;
    RC_ASSERT(changed <= written[i]);
    if (changed != 0) RC_ASSERT(written[i] - changed <= 6);  // the last bytes of a long double are padding
  }
}
#endif

}  // namespace
}  // namespace heddle::test
