// How heddle handles the calls that it intercepts: one line for each file of shims. The names of the calls come from the file's object
// (scripts/generate_reference.py). So docs/reference/supported-calls.md lists each of them. A new file of shims needs a line here.
#pragma once

namespace heddle::rt {

enum class Control {
  scheduled,   // an operation: other threads may go first, and it waits in the scheduler
  observed,    // the C library does the work; what it reads and writes counts as accesses of the program
  repeated,    // the same result in every run of an input
  put_back,    // its effect ends with the execution
  annotation,  // tells heddle something
  refused,     // ends the execution with one line
  internal,    // not called by a program, but by compilers and sanitizers
};

struct CallFamily {
  const char* file;  // below intercept/, without its ending
  Control control;
  const char* what;
  const char* note;
};

inline constexpr CallFamily kCallFamilies[] = {
    {"threads/pthread_thread", Control::scheduled, "threads; so also `std::thread`, `std::jthread`, `std::async`",
     "`pthread_self` gives the same value in every process. Of the attributes, only \"detached\" and a larger stack size count. The program's own stack "
     "(`pthread_attr_setstack`) is not used."},
    {"threads/cancellation", Control::scheduled, "cancellation of threads",
     "Cancellation points are joins, sleeps, and waits for condition variables, semaphores, descriptors and signals. With "
     "`PTHREAD_CANCEL_ASYNCHRONOUS` operations on locks and memory are, too, but not the code in between."},
    {"threads/threads_h", Control::scheduled, "C11 `<threads.h>`", ""},
    {"threads/libstdcxx", Control::scheduled, "parts of libstdc++", "Intercepted so that reports name your call."},
    {"threads/libcxx_once", Control::scheduled, "libc++: `std::call_once`", ""},
    {"threads/libcxx_wait", Control::scheduled, "libc++: `std::atomic::wait`, `notify_one`, `notify_all`; so also its latches and semaphores", "heddle chooses the waiter."},
    {"threads/libcxx_barrier", Control::scheduled, "libc++: `std::barrier`", ""},
    {"threads/libcxx_shared_ptr", Control::scheduled, "libc++: the counts of `std::shared_ptr` and `std::weak_ptr`", "What libc++'s headers do with them is seen as atomics."},
    {"threads/pthread_mutex", Control::scheduled, "mutexes; so also `std::mutex`, `std::recursive_mutex`, `std::timed_mutex`",
     "Normal, recursive, error-checking, timed, robust. Priorities have no effect. If the owner of a robust mutex ends, the next thread gets `EOWNERDEAD`; "
     "without `pthread_mutex_consistent` the mutex is then lost."},
    {"threads/pthread_cond", Control::scheduled, "condition variables; so also `std::condition_variable`",
     "heddle chooses which waiter a signal wakes, early time-outs, and (rarely) spurious wake-ups."},
    {"threads/pthread_rwlock", Control::scheduled, "read-write locks; so also `std::shared_mutex`",
     "As in glibc, only `PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP` prefers writers."},
    {"threads/pthread_spin", Control::scheduled, "spin locks", "A thread that would spin is blocked."},
    {"threads/semaphore", Control::scheduled, "semaphores", "Those with a name (`sem_open`) belong to the execution: it begins without any."},
    {"threads/pthread_barrier", Control::scheduled, "barriers", "heddle chooses the serial thread."},
    {"threads/once", Control::scheduled, "`pthread_once`; so also `std::call_once`", ""},
    {"guard", Control::scheduled, "function-local statics", "By the compiler's own calls (`__cxa_guard_acquire`)."},
    {"threads/thread_exit", Control::scheduled,
     "keys, `thread_local` objects, `std::notify_all_at_thread_exit`",
     "Destructors run when the controlled thread ends. A key ends with the execution that made it, unless an uninstrumented library made it."},
    {"threads/future", Control::scheduled, "`set_value_at_thread_exit`, `make_ready_at_thread_exit`", "The other parts of futures use the calls above."},
    {"threads/futex", Control::scheduled, "futexes by `syscall`; so also `std::atomic::wait`, `std::latch`, `std::barrier`, `std::counting_semaphore`",
     "`FUTEX_WAIT`, `FUTEX_WAKE`, their `_BITSET` forms, `FUTEX_WAKE_OP`, `FUTEX_REQUEUE` and `FUTEX_CMP_REQUEUE`; heddle chooses the waiter. `syscall` with the number of a call on this page is that call. "
     "Other numbers go to the kernel. Refused: another operation (`syscall(SYS_futex) with this operation`), `syscall(SYS_futex_waitv)`, "
     "`syscall(SYS_exit)`, `syscall(SYS_io_uring_enter)`, `syscall() that sets a clock`, `syscall() for a new thread or process` (but `SYS_fork` and `SYS_vfork` are `fork`)."},
    {"memory/tsan_atomic", Control::scheduled, "atomics of every size and order", "In instrumented code."},
    {"memory/assembly_atomic", Control::scheduled, "`lock`-prefixed instructions, `xchg`, `mov` and `pause` in inline assembly (x86-64)",
     "In sources that heddle's wrapper or `heddle_instrument` compiles. See [limits](limits.md#assembly)."},
    {"library_call", Control::scheduled, "calls into libraries that are not instrumented (x86-64)",
     "The first, and all once a second thread makes such calls; in half of all executions, chosen by the seed. What the library does is one step, up to its own waits. Two calls conflict if they have the same first argument. They order nothing."},
    {"threads/channel", Control::scheduled, "`heddle::chan`, `select`, `go`, `wait_group`, `once`, timers, contexts",
     "heddle's own library: [channels](channels.md). heddle chooses the case of a select."},
    {"threads/go_lock", Control::scheduled, "`heddle::mutex`, `rw_mutex`, `cond`", "Go's locks: [channels](channels-go.md#locks)."},
    {"threads/stack_switch", Control::scheduled, "switches of stacks", "They order nothing. The saved context is memory that the program accesses."},
    {"libc/time", Control::scheduled, "sleeps, yields and clocks",
     "All in virtual time: a sleep takes no real time, and every clock starts at the same date, also in constructors and "
     "`LLVMFuzzerInitialize`, until the program starts a thread there. A sleep may last longer than asked. Sleeps grow when "
     "thousands of them bring nothing new. A limit of more than ten years is none; a longer sleep lasts ten years."},
    {"descriptors/make", Control::scheduled, "pipes, sockets, counters, timers, epoll", "See [descriptors](#descriptors)."},
    {"descriptors/message_queue", Control::scheduled, "message queues (`mq_open`)", "Queues belong to the execution: it begins without any. They are descriptors, also for `poll`. Refused: `mq_notify`."},
    {"descriptors/io", Control::scheduled, "reading and writing descriptors and files",
     "Refused: a call that waits for something outside of the execution while no thread can run; a received descriptor that the kernel does not name."},
    {"descriptors/wait", Control::scheduled, "waiting for descriptors", "heddle chooses which of the ready descriptors are reported. Time limits are in virtual time. A signal mask counts in the wait, as in the kernel."},
    {"descriptors/by_number", Control::scheduled, "several messages, and bytes that the kernel moves",
     "Refused: `splice`, `tee`, `vmsplice` that would wait on a descriptor made in the execution."},
    {"descriptors/send_file", Control::scheduled, "sending a file", "Operations that write to the descriptor, and wait for room as other writes do."},
    {"descriptors/descriptor_number", Control::scheduled, "numbers of descriptors", "`fcntl` with `F_OFD_SETLK` and `F_OFD_SETLKW` locks bytes of a file, see the next line."},
    {"descriptors/file_lock", Control::scheduled, "locks of open files",
     "Shared and exclusive, as in the kernel. They are locks in reports, and order threads. A lock that another process holds is waited for."},
    {"descriptors/own_path", Control::scheduled, "opening files, and looking at them by name", "While there is one thread, there is nothing to choose."},
    {"descriptors/path", Control::scheduled, "changing files by name", "The same, also when `std::filesystem` makes the call."},
    {"descriptors/file_status", Control::scheduled, "what the kernel says about files", "The same."},
    {"stdio/open", Control::scheduled, "opening streams; so also `std::ifstream`, `std::ofstream`", "See [streams](#streams)."},
    {"stdio/read", Control::scheduled, "reading streams", ""},
    {"stdio/write", Control::scheduled, "writing and closing streams", ""},
    {"stdio/print", Control::scheduled, "printing to streams", ""},
    {"stdio/wide_stdio", Control::scheduled, "wide streams", "On a pipe or socket of the execution they do not wait in the scheduler. `swprintf` and `vswprintf` only access memory."},
    {"stdio/position", Control::scheduled, "positions of streams", ""},
    {"stdio/lock", Control::scheduled, "locks of streams", "A recursive lock in reports. It also keeps other threads' calls on the stream out."},
    {"process/signal", Control::scheduled, "signals",
     "See [signals](#signals). Refused: in a harness, a signal whose default action ends the process (`signal N`); in a whole program, `kill of another "
     "process`."},
    {"process/signal_jump", Control::scheduled, "jumps out of signal handlers", "The signal mask is the thread's own."},
    {"process/signal_older", Control::scheduled, "signals, by the older calls of X/Open and BSD", ""},
    {"process/signal_queue", Control::scheduled, "signals with a value", "Real-time signals queue."},
    {"process/signal_wait", Control::scheduled, "waiting for signals", ""},
    {"process/signal_file", Control::scheduled, "signals as data of a descriptor", "Each reader finds its own signals and those of the process."},
    {"process/fork", Control::scheduled, "child processes", "In a [whole program](../how-to/whole-programs.md#child-processes). The child runs to its end inside `fork`. `vfork` is `fork`. So is `clone`, if the processes share nothing; else it is refused. Refused in a harness, and while the thread holds a lock of a file."},
    {"process/fork_handlers", Control::scheduled, "`pthread_atfork`", "The handlers run before and after `fork`, as operations of its thread."},
    {"descriptors/exec", Control::scheduled, "other programs", "In a whole program. The other program runs to its end while all threads wait, and heddle does not control it. A process that calls `exec` ends as that program did. Refused in a harness."},
    {"descriptors/command", Control::scheduled, "commands",
     "In a whole program. The command runs to its end while all threads wait: inside `popen` if the program reads its output, inside `pclose` if the program writes its input. heddle does not control it. Refused in a harness (`system`, `popen`)."},
    {"process/alarm", Control::scheduled, "alarms", "`SIGALRM` comes in virtual time, to a thread that waits for it. If it has a handler, it interrupts the main thread: between two operations, sometimes early, or in a wait. It never ends the process."},
    {"process/posix_timer", Control::scheduled, "timers that call a function or send a signal",
     "In virtual time; the time can come before other threads have done their work. As in glibc, each call of the function has a thread of its own, which can still run after `timer_delete`. A signal that would end the process comes only to a thread that waits for it."},

    {"memory/malloc", Control::observed, "the heap",
     "Same addresses in every run, freed memory is watched: see [findings](findings.md#use-after-free). The allocator of a program or of ASan comes first."},
    {"memory/new", Control::observed, "`operator new` and `delete`", ""},
    {"memory/mapping", Control::observed, "mappings", "Same addresses in every run. Another thread can go before the `munmap` of a file."},
    {"memory/node", Control::observed, "links of `std::map`, `std::set` and `std::list`", "Inside libstdc++'s library. The recolouring of a tree is left out."},
    {"libc/string", Control::observed, "strings and bytes", "`index`, `rindex` and the like: a function of that name in the program comes first."},
    {"libc/compare", Control::observed, "comparisons and searches", "What they compare also guides the [mutation of data](../design/mutation.md#data-bytes)."},
    {"libc/token", Control::observed, "tokens", "`strtok` keeps its place in one variable that all threads share."},
    {"libc/wide", Control::observed, "wide strings", ""},
    {"libc/number", Control::observed, "numbers in strings", ""},
    {"libc/number_parts", Control::observed, "parts of numbers", ""},
    {"libc/sort", Control::observed, "sorting and trees", "A tree counts as one object: its root."},
    {"libc/pattern", Control::observed, "patterns and character sets", "What is behind an `iconv_t` counts as one byte."},
    {"libc/calendar", Control::observed, "dates", "The result of `localtime`, `asctime` and the like is memory that all threads share."},
    {"libc/users", Control::observed, "users and groups", "Results without a buffer of the program are memory that all threads share."},
    {"libc/system_status", Control::observed, "what the system says of itself", "Real values: a program that uses them can differ from run to run."},
    {"own_number", Control::observed, "calls with the number of a process or thread",
     "They take what `getpid`, `getppid` and `gettid` give. For the kernel, all controlled threads are one."},
    {"descriptors/network", Control::observed, "names and addresses of the network",
     "`getaddrinfo` stops every thread while it waits. The results of `gethostbyname`, `getservbyname` and the like are memory that all threads share."},
    {"stdio/print_memory", Control::observed, "printing into memory, and messages", ""},
    {"stdio/scan", Control::observed, "scanning memory", ""},
    {"process/signal_set", Control::observed, "sets of signals", ""},

    {"libc/identity", Control::repeated, "who and where a thread is",
     "`gettid`: the process's number for main, a stable virtual number for others."},
    {"libc/processor_time", Control::repeated, "how long the processor has worked",
     "Virtual time, as if it had worked from the beginning to now. All else that `getrusage` tells about the process itself is 0."},
    {"threads/kernel_scheduling", Control::repeated, "processors, policies and priorities of threads",
     "What the program asked for, in each execution anew. It has no effect on schedules. A thread seems to run on processor 0, or on the first one that the program has chosen for it."},
    {"threads/thread_name", Control::repeated, "names of threads", "Each thread has its own. Of `prctl`, only `PR_SET_NAME` and `PR_GET_NAME`."},
    {"libc/random", Control::repeated, "random bytes; `std::random_device`",
     "A function of the seed, the thread and how often it has asked; in constructors, a fixed sequence. `/dev/random` and `/dev/urandom` are a file of 64 KiB of such bytes, a new one at each opening."},
    {"libc/number_sequence", Control::repeated, "random numbers by `rand` and similar functions", "Each execution begins where the process's sequence stood before the first one."},
    {"process/symbol_lookup", Control::repeated, "functions by name",
     "A function that heddle controls is also controlled if the program got it with `RTLD_NEXT` or from a handle of the C library."},

    {"libc/environment", Control::put_back, "the environment", "Reads and writes are accesses to memory that all threads share."},
    {"descriptors/file_making", Control::put_back, "the working directory and the file mode mask", ""},
    {"process/resource_limits", Control::put_back, "limits of resources",
     "Also in a harness. Without privileges nobody can raise a lowered hard limit again: executions of a whole program then get a process each."},
    {"put_back", Control::put_back, "locale, options, the alternate signal stack", ""},
    {"process/exit_handlers", Control::put_back, "destructors of function-local statics, `atexit`", "They run at the end of the execution that registered them. In a whole program, so do those from before `main`."},
    {"process/exit", Control::put_back, "the end of the process", "In a whole program they end the execution. In a harness they are a finding, `unexpected-exit`. `on_exit`: as `atexit`."},
    {"process/library", Control::put_back, "opening libraries",
     "`thread_local` objects are new in each thread. An instrumented library stays loaded after `dlclose`. In a whole program `dlopen` cannot be undone."},
    {"process/process_state", Control::put_back, "other state of the process",
     "Only in a [whole program](../how-to/whole-programs.md). Buffers of the standard streams are put back. The others cannot be undone: each execution then "
     "gets its own process."},

    {"threads/annotation", Control::annotation, "`<sanitizer/tsan_interface.h>`", ""},
    {"threads/dynamic_annotations", Control::annotation, "`dynamic_annotations.h`", ""},

    {"process/refused", Control::refused, "", ""},

    {"process/abort", Control::internal, "", ""},
    {"process/throw", Control::internal, "", ""},
    {"memory/assembly_x86_64", Control::internal, "", ""},
    {"memory/tsan_func", Control::internal, "", ""},
    {"memory/tsan_plain", Control::internal, "", ""},
    {"memory/tsan_rest", Control::internal, "", ""},
    {"memory_lifetime", Control::internal, "", ""},
    {"libc/comparison_hooks", Control::internal, "", ""},
    {"syscall_hooks", Control::internal, "", ""},
};

}  // namespace heddle::rt
