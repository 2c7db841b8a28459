#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "harness/cli/markup.h"
#include "harness/cli/run_picture.h"

namespace heddle::cli {
namespace {

constexpr size_t kShortRun = 45;  // rows
constexpr int kRow = 24, kLeft = 52, kLane = 44, kLetter = 7, kTop = 30, kMargin = 14;
constexpr int kSlots = 3, kSlotWidth = 10;

std::string escaped(std::string_view text) { return escaped_markup(valid_utf8(text), ' ', "\t"); }

constexpr const char* kStyle = R"(<style>
.paper { fill: #fff; stroke: #d0d7de } text { font: 12px ui-monospace, Menlo, "DejaVu Sans Mono", monospace; fill: #1b1f24; paint-order: stroke; stroke: #fff; stroke-width: 4px }
.on-mark { stroke: #fff3c4 } .on-bad { stroke: #ffdad6 } .held, .step { stroke: none }
.title { font: bold 16px system-ui, sans-serif; fill: #a40e26 } .what { font: 13px system-ui, sans-serif } .name { font-weight: bold }
.soft, .gap { fill: #57606a } .step { text-anchor: end; font-size: 11px; fill: #57606a }
.life { stroke: #d0d7de; stroke-width: 2 } .dot { fill: #fff; stroke: #57606a; stroke-width: 2 } .dot.marked { fill: #7a4d00; stroke: #7a4d00 }
.dot.bad { fill: #a40e26; stroke: #a40e26 } .band { fill: #fff3c4 } .band.bad { fill: #ffdad6 } .star { font-weight: bold; fill: #7a4d00 } .failed { font-weight: bold; fill: #a40e26 }
.arrow { fill: none; stroke-width: 1.3; opacity: .7 } .strong { stroke-width: 2.4; opacity: 1 }
.reads { stroke: #0b5cad } .lock { stroke: #1a7f37; stroke-dasharray: 5 3 } .message { stroke: #8250df; stroke-dasharray: 8 3 } .thread { stroke: #57606a; stroke-dasharray: 2 4 } .waits { stroke: #a40e26; stroke-dasharray: 6 3 } .changes { stroke: #a04100; stroke-dasharray: 3 3 } .conflict { stroke: #a40e26 }
.head.reads { fill: #0b5cad } .head.lock { fill: #1a7f37 } .head.message { fill: #8250df } .head.thread { fill: #57606a } .head.waits { fill: #a40e26 } .head.changes { fill: #a04100 } .head.conflict { fill: #a40e26 } .head { stroke: none; opacity: 1 }
.bar { fill-opacity: .6 } .shared { fill-opacity: .25 } .held { font: 9px system-ui, sans-serif }
.o0 { fill: #0b5cad; stroke: #0b5cad } .o1 { fill: #a04100; stroke: #a04100 } .o2 { fill: #1a7f37; stroke: #1a7f37 } .o3 { fill: #8250df; stroke: #8250df }
.o4 { fill: #a8186f; stroke: #a8186f } .o5 { fill: #00707a; stroke: #00707a } .o6 { fill: #7a6200; stroke: #7a6200 } .o7 { fill: #57606a; stroke: #57606a }
@media (prefers-color-scheme: dark) {
.paper { fill: #14181d; stroke: #363d46 } text { fill: #e6edf3; stroke: #14181d } .on-mark { stroke: #473a0e } .on-bad { stroke: #5a1e1c } .title, .failed { fill: #ffaba8 } .soft, .gap, .step { fill: #9aa4af } .life { stroke: #363d46 }
.dot { fill: #14181d; stroke: #9aa4af } .dot.marked { fill: #ffd866; stroke: #ffd866 } .dot.bad { fill: #ffaba8; stroke: #ffaba8 } .band { fill: #473a0e } .band.bad { fill: #5a1e1c } .star { fill: #ffd866 }
.reads { stroke: #6cb6ff } .lock { stroke: #56d364 } .message { stroke: #bc8cff } .thread { stroke: #9aa4af } .waits { stroke: #ffaba8 } .changes { stroke: #f0883e } .conflict { stroke: #ffaba8 }
.head.reads { fill: #6cb6ff } .head.lock { fill: #56d364 } .head.message { fill: #bc8cff } .head.thread { fill: #9aa4af } .head.waits { fill: #ffaba8 } .head.changes { fill: #f0883e } .head.conflict { fill: #ffaba8 } .held, .step { stroke: none } }
</style>
)";

constexpr const char* kArrowClass[] = {"reads", "lock", "message", "thread", "waits", "changes", "conflict"};
constexpr const char* kArrowWords[] = {"reads what was written", "takes the lock", "is notified", "creates or joins", "waits for the holder", "changes what was read", "the other access"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

bool is_blocked(const RunModel& model, const RunRow& row) { return !row.finished && model.threads[row.thread].blocked; }

std::string sentence(const RunModel& model, const RunRow& row) {
  return (row.what == RunRow::here ? "HERE: " : is_blocked(model, row) ? "BLOCKED: " : !row.finished ? "next: " : row.marked ? "★ " : "") + row.words;
}

class Picture {
 public:
  explicit Picture(const RunModel& model) : model_(model), shown_(picture_rows(model)), head_(lines_of(model.what)) {}

  std::string draw() {
    place_rows();
    place_columns();
    top_ = kMargin + 24 + static_cast<int>(head_.size()) * 18 + kTop;
    const int height = top_ + lines_ * kRow + kRow + kMargin;
    out_ = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n", width_, height);
    const std::string title = model_.kind.empty() ? "a run without a finding" : model_.kind;
    add("<title>{}</title>\n{}<rect class=\"paper\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n", escaped(title + " of " + model_.target), kStyle, width_ - 1, height - 1);
    put_head(title);
    put_bands();
    put_lives();
    put_locks();
    for (const RunLink& link : model_.links) put_arrow(link);
    for (const uint32_t row : shown_) put_row(row);
    put_legend();
    return out_ + "</svg>\n";
  }

 private:
  template <typename... T>
  void add(fmt::format_string<T...> format, T&&... values) {
    out_ += fmt::format(format, std::forward<T>(values)...);
  }
  // A line for each shown row, and one for what is left out between two of them.
  void place_rows() {
    line_.assign(model_.rows.size(), -1);
    uint32_t next = 0;
    for (const uint32_t row : shown_) {
      if (row != next) gaps_.push_back({lines_++, row - next});
      line_[row] = lines_++;
      next = row + 1;
    }
    if (next != model_.rows.size()) gaps_.push_back({lines_++, static_cast<uint32_t>(model_.rows.size()) - next});
  }
  // Only threads with rows. A row has the line for itself, so its text may run over the columns to the right.
  void place_columns() {
    std::vector<bool> present(model_.threads.size());
    for (const uint32_t row : shown_) present[model_.rows[row].thread] = true;
    column_.assign(model_.threads.size(), -1);
    for (uint32_t t = 0; t < present.size(); ++t) {
      if (present[t]) column_[t] = columns_++;
    }
    each_ = std::clamp(1000 / std::max(columns_, 1), 110, 260);
    width_ = 480;
    for (const uint32_t i : shown_) {
      const RunRow& row = model_.rows[i];
      const size_t letters = valid_utf8(sentence(model_, row)).size() + short_place(model_.places[row.place]).size() + 3;
      width_ = std::max(width_, x_of(row.thread) + 18 + static_cast<int>(letters) * kLetter + 4 * kMargin);
    }
    for (const std::string& line : head_) width_ = std::max(width_, 2 * kMargin + static_cast<int>(line.size()) * kLetter);
  }
  int x_of(uint32_t thread) const { return kMargin + kLeft + column_[thread] * each_ + kLane - 10; }
  int y_of_line(int line) const { return top_ + line * kRow + kRow / 2; }
  int y_of(uint32_t row) const { return y_of_line(line_[row]); }

  void put_head(const std::string& title) {
    int y = kMargin + 16;
    add("<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>\n", kMargin, y, escaped(title));
    for (const std::string& line : head_) add("<text class=\"what\" xml:space=\"preserve\" x=\"{}\" y=\"{}\">{}</text>\n", kMargin, y += 18, escaped(line));
    for (uint32_t t = 0; t < column_.size(); ++t) {
      if (column_[t] >= 0) add("<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>\n", x_of(t) - 4, top_ - 8, escaped(model_.threads[t].name));
    }
    for (const auto& [line, n] : gaps_) {
      add("<text class=\"gap\" x=\"{}\" y=\"{}\">… {} operation{} left out</text>\n", kMargin + kLeft, y_of_line(line) + 4, n, n == 1 ? "" : "s");
    }
  }
  bool bad(const RunRow& row) const { return row.what == RunRow::here || is_blocked(model_, row); }
  void put_bands() {
    for (const uint32_t i : shown_) {
      const RunRow& row = model_.rows[i];
      if (row.marked) add("<rect class=\"band{}\" x=\"1\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", bad(row) ? " bad" : "", y_of(i) - kRow / 2 + 1, width_ - 2, kRow - 2);
    }
  }
  void put_lives() {
    for (uint32_t t = 0; t < column_.size(); ++t) {
      const auto of_thread = [&](uint32_t row) { return model_.rows[row].thread == t; };
      const auto first = std::find_if(shown_.begin(), shown_.end(), of_thread);
      if (first == shown_.end()) continue;
      const auto last = std::find_if(shown_.rbegin(), shown_.rend(), of_thread);
      add("<line class=\"life\" x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\"/>\n", x_of(t), y_of(*first), y_of(*last));
    }
  }
  // A lock whose rows are left out begins or ends at the next one that is shown.
  void put_locks() {
    std::vector<std::vector<uint32_t>> busy(column_.size());
    for (const RunLock& lock : model_.locks) {
      if (column_[lock.thread] < 0) continue;
      const auto first = std::lower_bound(shown_.begin(), shown_.end(), lock.from);
      auto last = std::upper_bound(shown_.begin(), shown_.end(), lock.to);
      if (first == last) continue;
      --last;
      auto& of_thread = busy[lock.thread];
      size_t slot = 0;
      while (slot < of_thread.size() && of_thread[slot] >= lock.from) ++slot;
      if (slot >= kSlots) slot = kSlots - 1;
      if (slot == of_thread.size()) of_thread.push_back(0);
      of_thread[slot] = lock.to;
      const int x = x_of(lock.thread) - 34 + static_cast<int>(slot) * kSlotWidth, y = y_of(*first) - 7, height = y_of(*last) - y + 7;
      add("<rect class=\"bar{} o{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\"><title>{} held by {}</title></rect>\n", lock.shared ? " shared" : "", lock.object % 8, x,
          y, kSlotWidth - 1, height, escaped(model_.objects[lock.object].name), escaped(model_.threads[lock.thread].name));
      const std::string name = model_.objects[lock.object].name + " held";
      if (static_cast<int>(name.size()) * 5 + 8 < height) add("<text class=\"held\" transform=\"translate({} {}) rotate(90)\">{}</text>\n", x + 2, y + 5, escaped(name));
    }
  }
  void put_arrow(const RunLink& link) {
    if (line_[link.from] < 0 || line_[link.to] < 0) return;
    const int x1 = x_of(model_.rows[link.from].thread), x2 = x_of(model_.rows[link.to].thread), y1 = y_of(link.from), y2 = y_of(link.to);
    const int side = x2 > x1 ? 1 : -1, end = x2 - side * 6, bend = std::min(std::abs(x2 - x1) / 2, 60) * side;
    const bool strong = link.arrow == RunArrow::waits || (model_.rows[link.from].marked && model_.rows[link.to].marked);
    const char* const name = kArrowClass[static_cast<int>(link.arrow)];
    drawn_[static_cast<int>(link.arrow)] = true;
    add("<path class=\"arrow {}{}\" d=\"M{},{} C{},{} {},{} {},{}\"/>", name, strong ? " strong" : "", x1 + side * 4, y1, x1 + bend, y1, end - bend, y2, end - side * 4, y2);
    add("<path class=\"head {}\" d=\"M{},{} l{},-4.5 l0,9 z\"/>\n", name, end + side, y2, -side * 9);
  }
  void put_row(uint32_t i) {
    const RunRow& row = model_.rows[i];
    const int x = x_of(row.thread), y = y_of(i);
    add("<circle class=\"dot{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", bad(row) ? " bad" : row.marked ? " marked" : "", x, y, row.marked ? 5 : 4);
    if (row.step != 0) add("<text class=\"step\" x=\"{}\" y=\"{}\">{}</text>", kMargin + kLeft - 14, y + 4, row.step);
    add("<text class=\"{}\" x=\"{}\" y=\"{}\"><tspan class=\"{}\">{}</tspan><tspan class=\"soft\" dx=\"8\">{}</tspan></text>\n", !row.marked ? "op" : bad(row) ? "on-bad" : "on-mark", x + 16, y + 4, bad(row) ? "failed" : row.marked ? "star" : "plain",
        escaped(sentence(model_, row)), escaped(short_place(model_.places[row.place])));
  }

  void put_legend() {
    int x = kMargin;
    const int y = y_of_line(lines_) + 6;
    for (size_t i = 0; i < std::size(kArrowClass); ++i) {
      const int width = 44 + static_cast<int>(std::string_view(kArrowWords[i]).size()) * kLetter;
      if (!drawn_[i] || x + width > width_) continue;
      add("<path class=\"arrow strong {}\" d=\"M{},{} h24\"/><text class=\"soft\" x=\"{}\" y=\"{}\">{}</text>\n", kArrowClass[i], x, y, x + 30, y + 4, kArrowWords[i]);
      x += width;
    }
  }

  const RunModel& model_;
  const std::vector<uint32_t> shown_;
  const std::vector<std::string> head_;
  std::vector<int> line_, column_;
  std::vector<std::pair<int, uint32_t>> gaps_;  // line, number of rows
  bool drawn_[std::size(kArrowClass)] = {};
  int lines_ = 0, columns_ = 0, each_ = 0, width_ = 0, top_ = 0;
  std::string out_;
};

}  // namespace

std::vector<uint32_t> picture_rows(const RunModel& model) {
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < model.rows.size() && out.size() <= kMostPictureRows; ++i) {
    if (model.rows.size() <= kShortRun || model.rows[i].important) out.push_back(i);
  }
  const bool chosen = std::any_of(model.rows.begin(), model.rows.end(), [](const RunRow& row) { return row.important; });
  if (!chosen && model.rows.size() <= kMostPictureRows) {
    out.clear();
    for (uint32_t i = 0; i < model.rows.size(); ++i) out.push_back(i);
  }
  if (out.size() > kMostPictureRows) out.clear();
  return out;
}

std::string run_svg(const RunModel& model) { return Picture(model).draw(); }

}  // namespace heddle::cli
