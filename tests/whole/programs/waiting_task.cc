// A task waits for a value that no thread ever provides. The compiler inlines the task's code into a function of the library.
#include <future>
#include <thread>

int main() {
  std::promise<int> never;
  std::future<int> answer = never.get_future();
  std::packaged_task<int()> task([&] { return answer.get() + 1; });  // here
  std::thread worker(std::move(task));
  worker.join();
}
