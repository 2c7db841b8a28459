// Uses every entry point, with values of each sort; only compiled, for check_unseen.py.
#include <heddle/csp.h>

#include <memory>
#include <string>
#include <tuple>

using namespace std::chrono_literals;

template <class T>
void use(T value, T other) {
  auto c = heddle::make_chan<T>(2);
  auto copy = c;
  copy = std::move(c);
  copy.send(std::move(value));
  std::optional<T> got = copy.receive();
  copy.try_send(std::move(other));
  got = copy.try_receive();
  copy.try_receive(got);
  for (T& v : copy) got = std::move(v);
  for (auto i = copy.begin(); i != copy.end(); i++) got = std::move(*i);
  heddle::select(heddle::on_receive(copy, [&](std::optional<T> v) { got = std::move(v); }),
                 heddle::on_receive(copy), heddle::on_send(copy, std::move(*got)),
                 heddle::otherwise([] {}));
  heddle::selector s;
  s.receive(copy, [&](std::optional<T> v) { got = std::move(v); });
  s.send(copy, std::move(*got), [] {});
  s.otherwise();
  s.wait();
  heddle::send_chan<T> in = copy;
  heddle::recv_chan<T> out = copy;
  in = copy;
  out = copy;
  heddle::send_chan<T> same_in = in;
  heddle::recv_chan<T> same_out = std::move(out);
  heddle::select(same_out, heddle::on_receive(same_out, got), heddle::on_send(same_in, std::move(*got)));
  if (heddle::try_select(same_out, copy)) same_in = nullptr;
  copy.close();
  if (copy && same_out == copy && same_in != nullptr && copy == c && copy.size() < copy.capacity()) s.clear();
}

void use_signals() {
  auto c = heddle::make_chan<void>(1);
  c.send();
  bool open = c.receive() && c.try_send();
  heddle::recv_chan<void> out = c;
  heddle::send_chan<void> in = c;
  heddle::select(heddle::on_receive(out, open), heddle::on_receive(c, [](bool) {}), heddle::on_send(in), out);
  heddle::selector s;
  s.receive(out);
  s.send(in, [] {});
  if (out.try_receive() == heddle::receive_status::closed) in.close();
  heddle::timer timer;
  heddle::ticker ticker;
  heddle::canceler cancel;
  heddle::cancelable work;
  work = heddle::with_cancel(work.ctx);
  if (!timer && !ticker && !cancel) timer.stop();
}

void use_locks() {
  heddle::mutex lock;
  heddle::rw_mutex shared;
  heddle::cond changed;
  lock.lock();
  changed.wait(lock);
  lock.unlock();
  std::unique_lock guard(lock, std::try_to_lock);
  changed.wait(guard);
  shared.lock();
  changed.wait(shared);
  shared.unlock();
  std::unique_lock writing(shared, std::try_to_lock);
  changed.wait(writing);
  writing.unlock();
  std::shared_lock reading(shared, std::try_to_lock);
  changed.wait(reading);
  changed.notify_one();
  changed.notify_all();
}

void use_later(heddle::chan<int> c) {
  heddle::func_timer timer = heddle::after_func(1s, [c] { c.close(); });
  heddle::func_timer same = timer;
  same = timer;
  if (same && !same.stop()) timer.reset(2s);
  if (heddle::recover([&] { c.send(1); })) c.close();
}

void use_all() {
  use_locks();
  use_later(heddle::make_chan<int>());
  use_signals();
  use<int>(1, 2);
  use<std::string>("a", "b");
  use<std::unique_ptr<int>>(nullptr, nullptr);
  use<heddle::chan<int>>({}, {});
  const std::string text = "c";
  heddle::make_chan<std::string>(1).try_send(text);
  heddle::wait_group all;
  heddle::once once;
  all.add(1);
  all.go([&](int n) { once.call([n] { std::ignore = n; }); }, 1);
  heddle::go([&] { all.done(); });
  all.wait();
  heddle::after(1s).receive();
  heddle::timer timer(1s);
  timer.stop();
  timer.reset(2s);
  heddle::timer same = timer;
  same = timer;
  heddle::ticker ticker(1s);
  ticker.reset(2s);
  ticker.channel().receive();
  ticker.stop();
  auto [outer, cancel_outer] = heddle::with_cancel(heddle::context::background());
  auto [inner, cancel_inner] = heddle::with_timeout(outer, 1s);
  auto [last, cancel_last] = heddle::with_deadline(inner, std::chrono::steady_clock::now());
  auto again = cancel_last;
  again = cancel_inner;
  again();
  heddle::context moved = std::move(last);
  moved = inner;
  if (moved.error() == heddle::context_error::none && moved.deadline()) moved.done().receive();
}
