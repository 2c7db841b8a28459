// A task waits for what nobody ever provides. The compiler inlines the task's code into a function of the library's.
#include <future>
#include <thread>

int main() {
  std::promise<int> never;
  std::future<int> answer = never.get_future();
  std::packaged_task<int()> task([&] { return answer.get() + 1; });  // here
  std::thread worker(std::move(task));
  worker.join();
}
