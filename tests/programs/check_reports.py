#!/usr/bin/env python3
"""What ClusterFuzz's stack parser makes of real reports: the type and the frames that it would file a finding under. And the interleaving speaks of the
program's files alone. Then, what reports say about programs.

The rules are those of src/clusterfuzz/stacktraces in google/clusterfuzz, as far as they can speak of what libFuzzer, ASan and heddle print, in
the order in which it tries them on each line. Usage: check_reports.py WORK PROGRAM-DIRECTORY
"""
import os
import pathlib
import re
import subprocess
import sys

FRAMES = 3  # so many make the state

GLIBC_ASSERTION = re.compile(r".*:\s*assertion [`'\"]?(.*?)[`'\"]? failed\.?$", re.IGNORECASE)
ASSERTION = re.compile(r"(?:\[.*?\]|.*\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx):.*)?\s*(?:ASSERT(?:ION)? FAIL(?:URE|ED)|panic: )(.*)", re.IGNORECASE)
OTHER_SANITIZER = re.compile(r".*(ThreadSanitizer|MemorySanitizer):\s+(?!ABRT)(?!ILL)([^(:]+)")
LEAK = re.compile(r"(Direct|Indirect) leak of ")
SEGV = re.compile(r".*([a-zA-Z]+Sanitizer).*(SEGV|access-violation) on unknown address ([xX0-9a-fA-F]+)")
HEADER = re.compile(r".*(ERROR: [a-zA-Z]+Sanitizer)[: ]*(.*) on (unknown address |address |)([xX0-9a-fA-F]+)")
UNDEFINED = re.compile(r"(.*): runtime error: (.*)")
SIGNAL_KIND = re.compile(r".*The signal is caused by a ([A-Z]+) memory access.")
ACCESS = re.compile(r"[ ]*([^ ]*|Atomic [^ ]*) of size ([^ ]*) at ([^ ]*)")
TIMEOUT = re.compile(r".*ERROR:\s*libFuzzer:\s*timeout")
DEADLY_SIGNAL = re.compile(r".*ERROR:\s*libFuzzer:\s*deadly signal")
IGNORED_LINES = ("SUMMARY:", "WARNING: AddressSanitizer", ":INFO:CONSOLE", "Sanitizer:DEADLYSIGNAL")
# Patterns of other systems, tried on each line: heddle's lines must not match them.
FOREIGN = [re.compile(p) for p in (
    r".*signal.*\(SIG.*fault addr ([^ ]*)(.*)", r".*Internal error: (Oops)?( -|:) (BUG|[0-9a-fA-F]+)", r"Kernel panic - not syncing: (.*)",
    r"kernel BUG at (.*)", r".*FATAL EXCEPTION.*:", r"#\s*Fatal error in (.*)", r"Attempt to (.*) [^ ]* address (.*)",
    r"Program received signal ([a-zA-Z]+),", r".*Sanitizer CHECK failed[:]", r"^abort: (CSA_ASSERT failed:.*)", r"^Abort message: (.*)",
    r"[^(]*\[\<([x0-9a-fA-F]+)\>\]\s+\(?(([\w]+)\+([\w]+)/[\w]+)\)?", r"\(?(([\w]+)\+([\w]+)/[\w]+)\)?",
    r"(?P<frame_id>\d+)\s+(([\w ]+)|(\?\?\?))\s+([xX0-9a-fA-F]+)\s+([^/\\]+)\s*\+\s*(\d+)",
    r"[ ]*([^/\\]+) \[([xX0-9a-fA-F]+)\+(\d+)\]( \((.*):(\d+)\))?", r"([0-9a-zA-Z`]+) ([0-9a-zA-Z`]+) ([0-9a-zA-Z_]+)!(.*)\+([xX0-9a-fA-F]+)",
    r"^F\d{4}\s+\d{2}:\d{2}:\d{2}\.\d+\s+\d+\s+(.*):\d+\]", r".*\[[^\]]*[:]([^\](]*).*\].*Check failed[:]\s*(.*)")]
FRAME = re.compile(r"\s*#(?P<id>\d+)\s+([xX0-9a-fA-F]+)\s+(in\s*.*|\(.*\))")
STOPS = ("Direct leak of", "allocated by thread", "created by main thread at", "located in stack of thread", "previously allocated by")
IGNORED_FRAMES = re.compile("|".join((
    r"^(abort|exit|raise|pthread_create|pthread_kill|tgkill)$", r"^_{0,2}mem(cmp|cpy|move|set)", r"^_{0,2}str(cmp|cpy|dup|len|ncpy)", r"^__assert_", r"^abort",
    r"^__(asan|lsan|msan|tsan|ubsan|sanitizer|interceptor|libc|GI|cxa_throw|cxa_rethrow|pthread_kill)", r"^(free|malloc|calloc|realloc|new|delete|operator|main)",
    r"^fuzzer::", r"^gsignal", r"^_start", r"^std::__terminate", r"^LLVMFuzzerTestOneInput", r".*assert", r".*logger", r".*libpthread", r".*/libc\+\+",
    r".*/libc/", r".*/gcc/", r".*/glibc-", r".*/sanitizer_common/", r".*libc\.so", r".*libstdc\+\+\.so", r".*StackDumpSignalHandler")))


def shorten(frame):
    frame = frame.replace("(anonymous namespace)::", "").split("!")[-1]
    cut = re.match(r"(.*?)[\(\[].*", frame)
    return cut.group(1).strip() if cut and cut.group(1) else frame.strip().split(" ")[0]


def parse(text):
    """(type, state lines, complaints)"""
    kind, state, complaints = "", [], []
    count = 0
    for line in text.splitlines():
        if any(word in line for word in IGNORED_LINES):
            continue
        complaints += [f"'{line}' looks like {p.pattern}" for p in FOREIGN if p.match(line)]
        for pattern in (ASSERTION, GLIBC_ASSERTION):
            if m := pattern.match(line):
                kind, count, state = "ASSERT", 1, [m.group(1)] if m.group(1) else state
        if m := OTHER_SANITIZER.match(line):
            kind, state, count = m.group(2).capitalize().strip(), [], 0
        if not kind and (m := LEAK.match(line)):
            kind, state, count = m.group(1) + "-leak", [], 0
        if not kind and UNDEFINED.match(line):
            kind, state, count = "UNKNOWN", [], 0
        if m := SEGV.match(line):
            if kind == "ASSERT" and int(m.group(3), 16) < 0x1000:
                continue
            kind, state, count = "UNKNOWN", [], 0
            continue
        if m := HEADER.match(line):
            kind, state, count = m.group(2).strip().lower().replace("_", "-").capitalize(), [], 0
        if (m := SIGNAL_KIND.match(line)) and kind == "UNKNOWN":
            kind += " " + m.group(1)
        if (m := ACCESS.match(line)) and not kind.startswith("UNKNOWN"):
            kind += f"\n{m.group(1).upper()} {m.group(2)}"
        if TIMEOUT.match(line):
            kind, state, count = "Timeout", [], 0
        if not kind and DEADLY_SIGNAL.match(line):
            kind, state, count = "Fatal-signal", [], 0
        if state and any(stop in line for stop in STOPS):
            count = FRAMES
            continue
        if kind and (m := FRAME.match(line)):
            frame = re.sub(r"^in (.*)|^\((.*)\)$", lambda s: s.group(1) or s.group(2), m.group(3).strip())
            if frame.startswith("LLVMFuzzerTestOneInput") and (place := re.search(r" (\S+?):\d+", frame)):
                frame = frame.replace("LLVMFuzzerTestOneInput", os.path.basename(place.group(1)), 1)
            if len(frame) < 3 or IGNORED_FRAMES.match(frame):
                continue
            if count < FRAMES:
                state.append(shorten(frame))
                count += 1
    return kind, state, complaints


# Program, options of heddle, type, and the first line of the state: what a developer would look for.
EXPECTED = [
    ("mutex.ab_ba", "", "Deadlock", r"heddle_body_of_ab_ba::\$_[01]"),
    ("mutex.double_lock", "", "Double-lock", "deposit"),
    ("plain.data_race", "report_races=1", "Data-race", "hit"),
    ("thread.blocked_at_exit", "", "Blocked-threads", r"heddle_body_of_blocked_at_exit::\$_0"),
    ("crash.assertion", "", "ASSERT", "seen != 1"),
    ("crash.null", "", "Crash", "heddle_body_of_null"),
    ("crash.null_mutex", "", "Crash", "uses"),
    ("crash.null_mutex_asan", "", "UNKNOWN READ|UNKNOWN", "uses"),
    ("crash.null_asan", "", "UNKNOWN WRITE", "heddle_body_of_null"),
    ("plain.use_after_free", "", r"Heap-use-after-free\nREAD 4", "heddle_body_of_use_after_free"),
]

# heddle's report is the only one, and names the file that exists.
ONLY_REPORT = (r"\nTo replay: \S+ (\S+/crash-[0-9a-f]{40})\n[^=]*SUMMARY: HeddleSanitizer: [^\n]*\n"
               r"(?!(.|\n)*(SUMMARY:|ERROR:|DEADLYSIGNAL))(.|\n)*Test unit written to \1\n")

# Program, options, and what the report says, as regular expressions.
SAYS = [
    ("crash.null", "", [r"signal SIGSEGV, write to address 0x0+ \(a null pointer\)\n"]),
    ("crash.null_call", "", [r"signal SIGSEGV, jump to address 0x"]),
    ("refused.fork_of_acutest", "", [r"Let it run them in one: HEDDLE_OPTIONS=args=--no-exec\n"]),
    # In the C library's code, the program's call is known from the library's unwind tables.
    ("crash.in_libc", "", [r"\n    #0 .* in is \S*in_libc\.c:17:\d+\n    #1 .* in look \S*in_libc\.c:27:", r"\*HERE: crash \(:17\)\n", r"SUMMARY: .* crash \S*in_libc\.c:17:"]),
    ("crash.assertion", "", [r"store A1: 0 -> 1 \(:19\)", r"load A1 = 1 \(:12\), written by main \(:19\)"]),
    # Both accesses of a race, and the free of a block, are rows with their places. A visible access has its value.
    ("plain.data_race", "report_races=1", [r"\n +\*write hits\s+\(:16\)\n", r"\*HERE: data-race: (read|write) hits \(:16\)\n"]),
    ("use_after_free.config", "", [r"\*free block \(:24\)\n", r"\*HERE: heap-use-after-free: read block(\+4)? \(:31\)\n", r"\n  block: heap block, freed by main\.0\n"]),
    # Where the thread had the address from, and who has changed it there since.
    ("use_after_free.config", "", [r"\nmain read the address from config at config\.cc:30\. Later, main\.0 changed it there, at config\.cc:23\.\n",
                                   r"\*(read|load) config = 0x[0-9a-f]+ \(:30\)(.*\n)*? .*\*(write|store) config"]),
    ("heap.double_free", "", [r"\nmain\.0 read the address from P1 at double_free\.cc:26"]),
    ("stack_use.thread_local_counter", "", [r"\nmain uses counter of main\.0, a thread-local variable\. That thread has ended\."]),
    ("signals.errno_of_handler", "", [r"\*write errno of main\.0(.*\n)*? .*\*read errno of main\.0 = 9 \(:\d+\), written by\s+main\.0's\s+handler"]),
    ("plain.use_after_free", "", [r"\*free block \(:21\)\n", r"\*HERE: sanitizer-report: read block \(:28\)\n", r"\n  block: heap block of 4 bytes, freed by main\.0\n"]),
    # ASan's own report has heddle's threads, created where the program does it.
    ("plain.use_after_free", "", [r"\nfreed by thread T\d+ \(main\.0\) here:\n", r"\nThread T\d+ \(main\.0\) created by T\d+ \(main\) here:\n(    #.*\n)?    #\d .*use_after_free\.cc:15:",
                                  r"\A(?!(.|\n)*make_donor)"]),
    ("crash.uncaught", "", [r"uncaught exception of type std::runtime_error: unexpected state\n"]),
    # An exception ends the program elsewhere than where it was thrown: in another thread's get(), in a noexcept function. The rows explain the throw.
    ("future.rethrown", "", [r"\nmain fails here:\n    #0 .*rethrown\.cc:21:(.*\n)*?\nmain\.0 threw the exception here:\n    #0 .* in parse \S*rethrown\.cc:10:",
                             r"\*load A\d = 0 \(:10\), initial value\n +\*throw the exception \(:10\)\n(.*\n)*?.* \*store A\d: 0 -> 8 \(:20\)\n(.*\n)*?.*\*HERE: assertion-failure \(:21\)"]),
    ("future.made_exception", "", [r"\nmain fails here:\n    #0 .*made_exception\.cc:28:(.*\n)*?\nmain\.0 made the exception here:\n    #0 .* in answer \S*made_exception\.cc:15:",
                                   r"\*load A\d = 0 \(:11\), initial value\n +\*make the exception \(:15\)\n"]),
    # With ASan the library's throw is the sanitizer's.
    ("crash.noexcept_map_asan", "", [r"\nmain threw the exception here:\n    #0 .* in .*length\S* \S*noexcept_map_asan\.cc:19:", r"\n +\*throw the exception \(:19\)\n"]),
    ("crash.noexcept_at", "", [r"SUMMARY: .*noexcept_at\.cc:11:\d+ in take\n|SUMMARY: .*noexcept_at\.cc:26:", r"\nmain threw the exception here:\n    #0 .* in item \S*noexcept_at\.cc:9:",
                               r"\*load A1 = 2 \(:9\), written by main\.0 \(:17\).*\n +\*throw the exception \(:9\)\n"]),
    # A signal handler counts as another thread than the one that it interrupts.
    ("signals.counted_in_both", "", [r"\*read requests = 0 \(:37\), initial value\n.* handle SIGUSR1 \(:37\)\n(.*\n)*?.*\*write requests = 1 \(:12\)\n.*\*write requests: 1 -> 1 \(:37\)\n",
                                     r"\n  requests: main reads at \S*counted_in_both\.c:37:\d+ in main; main's handler writes at \S*counted_in_both\.c:12:\d+ in count\n"]),
    # The failing value: who read and wrote what led to it, and the write that was lost in between. Nothing else.
    ("atomics.lost_update", "", [r"\*load A1 = 0 \(:15\), initial value\n(.*\n)*? .*\*store A1: 0 -> 1 \(:15\).*\n(.*\n)*? .*\*store A1: 1 -> 1 \(:15\)\n"
                                 r"(.*\n)*? .*\*load A1 = 1 \(:21\), written by main\.\d \(:15\)\n", r"(?<!\*)load A1 = 0 \(:15\), initial value\n"]),
    # The first input is no default schedule here: heddle has converted it.
    ("thread.blocked_at_exit", "memory=rc11", [r"\A(?!(.|\n)*Found with the default schedule)(.|\n)*\nFound in execution \d+ of this process\n"]),
    # The same under locks, where plain accesses are no operations: what was checked in another critical section, and what came in between.
    ("plain.withdrawn_twice", "", [r"\*read balance = 10 \(:16\), written by\s+main \(:29\)\n(.*\n)*? .*\*write balance = 3 \(:23\)\n"
                                   r"(.*\n)*? .*\*read balance = 3 \(:23\), written by\s+main\.\d \(:23\)\n.*\*write balance = -4 \(:23\)\n"
                                   r"(.*\n)*? .*\*read balance = -4 \(:33\), written by\s+main\.\d \(:23\)\n"]),
    # What main wrote before there was another thread has its value, too.
    ("plain.lost_deposit", "", [r"\*read P1 = 0 \(:15\)\n(.*\n)*? .*\*write P1 \(:21\)\n(.*\n)*? .*\*write P1 = 0x3ff0000000000000 \(:21\)\n", r"\n  P1: variable on the stack of main\n"]),
    ("seeds.atomic_section", "", [r"\*read under_m \(:16\)\n(.*\n)*? .*\*write under_m = 1 \(:35\)\n(.*\n)*? .*\*read under_m = 1 \(:16\), written by\s+main \(:35\)\n"]),
    # Who came too late. What std::barrier does inside has no part in it.
    ("barrier.before_the_barrier", "", [r"\*load (A\d) = 0 \(:19\), initial value\n(.*\n)*? .*\*store \1: 0 -> 1 \(:14\)\n", r"\A(?!(.|\n)*\*rmw )"]),
    ("future.broken_wait", "", [r"\*load A\d = 0 \(:24\), initial value\n +\*HERE: assertion-failure \(:24\)\n +\*next: store A\d \(:20\)\n"]),
    ("plain.double_checked", "", [r"\*read storage = 0 \(:35\), initial value\n(.*\n)*? +\*next: write storage \(:26\)"]),
    # The failing value says nothing of the decision that led to it: then the last write that was lost, or the value that came again.
    ("classic.work_stealing", "", [r"\*load top = \d \(:22\)(.*\n)*? .*\*cas top: \d -> \d \(:44\)(.*\n)*? .*\*store top: (\d) -> \3 \(:33\)\n"]),
    # What a late write went by has a star: the reader's look at the store, and the write that came after it.
    ("services.stale_entry", "", [r"\*read P1.* \(:17\)(.*\n)*? .*\*write P1.* \(:21\)(.*\n)*? .*\*write (P\d) = 10 \(:\d+\)(.*\n)*? .*\*read \3 = 10 "]),
    ("classic.bluetooth", "", [r"\*load A\d = 0 \(:22\)(.*\n)*? .*\*store A\d: 0 -> 1 \(:31\)"]),
    ("atomics.aba", "", [r"\*load top = (\d) \(:27\)(.*\n)*? .*\*cas top: \d -> \1 \(:43\)(.*\n)*? .*\*cas top: \1 -> \d \(:31\)"]),
    # What is decided leaves no trace in values: then what a thread went by while another one changed it, or what the failing thread read last of others.
    ("services.binlog_rotated", "", [r"\*write P\d = 0 \(:35\)(.*\n)*? .*\*read P\d = 0 \(:21\), written by\s+main\.1 \(:35\)(.*\n)*? .*\*write P\d: 0 -> 1 \(:17\)"]),
    ("atomics.full_is_empty", "", [r"\*store (A\d): 3 -> 0 \(:23\)(.*\n)*? .*\*load \1 = 0 \(:28\), written by\s+main\.0 \(:23\)\n"]),
    # An access right after a visible one, and beside it, is one of its own.
    ("services.log_buffer", "", [r"\*write access_log\+44 .*\(:25\)(.*\n)*? .*\*read access_log\+44 .*\(:44\), written by"]),
    # What an attempt failed on, if no value explains the failure.
    ("future.answered_by_two", "", [r"\*end O1 \(:22\)\n.*\*begin O1: already done \(:22\)"]),
    ("causes.answered_and_lost", "", [r"\*end O1 \(:\d+\)\n(.*\n)*?.*\*begin O1: already done \(:\d+\)"]),
    # What the writer of the failing value had decided by.
    ("causes.closed_before_reset", "", [r"\*write closed = 1 \(:28\)\n(.*\n)*?.*\*read closed = 1 \(:19\), written by main \(:28\)\n"]),
    # What was there before the threads explains nothing. Then the last message does, or a count of the standard library.
    ("causes.answers_swapped", "", [r"\*write socket 4->3: 1 byte \(:19\)\n(.*\n)*?.*\*read socket 4->3: 1 byte\s+\(:33\)\n", r"\A(?!(.|\n)*\*read ends)"]),
    ("causes.owner_has_gone", "", [r"\*rmw (A\d): 1 -> 0 \(:31\)\n(.*\n)*?.*\*load \1 = 0 \(:19\), written by main \(:31\)\n"]),
    # What a thread sleeps for that waits for a value.
    ("latch.left_out", "", [r"\n  main waits on (L\d)\n    \1 is 1: main\.\d stored that at left_out\.cc:21\n"]),
    ("barrier.left_without_drop", "", [r"\n    B\d is a word of the C\+\+ library: threads sleep there that wait for B1\n    arrived in this round: main\.\d \(left_without_drop\.cc:19\)\n"]),
    # A lock that is taken for the thread's own, and one that an exception has left behind.
    ("mutex.owner_of_the_lock", "", [r"\*load (A\d) = 0x[0-9a-f]+ \(:15\)(.*\n)*? +\*HERE: unlock-by-non-owner \(:35\)(.*\n)*? +\*next: store \1 \(:25\)"]),
    ("mutex.lock_left_held", "", [r"\nmain\.0 threw an exception while it held M1, here:\n    #0 .* in .*port\S* \S*lock_left_held\.cc:29:",
                                  r"\*lock M1 \(:28\).*\n +\*throw an exception \(:29\)\n"]),
    # Why memory or a lock was taken away from a thread: what the one who did it had learned from that thread last, or did not see yet.
    ("use_after_free.reader_seen_too_late", "", [r"\*load (A\d) = 0 \(:35\), initial value\n +\*free block \(:36\)\n.* \*rmw \1: 0 -> 1 \(:25\)"]),
    ("use_after_free.cancelled_while_it_fires", "", [r"\*write (P\d) \(:41\)(.*\n)*?.*\*read \1 = 0x[0-9a-f]+\s+\(:\d+\),\s+written\s+by\s+main\.0\s+\(:41\)"]),
    # What the thread that freed it first went by.
    ("causes.freed_by_both", "", [r"\*write (P\d) \(:21\)\n(.*\n)*?.*\*read \1 = 0 \(:33\), written by\s+main\.\d\s+\(:21\)(.*\n)*? +\*free block \(:36\)"]),
    # What the user of the memory had looked at, and was no longer true.
    ("causes.revived", "", [r"\*load (A\d) = 1 \(:21\)(.*\n)*? +\d+ +\*rmw \1: 1 -> 0 \(:28\)(.*\n)*? .*\*rmw \1: 0 -> 1 \(:22\)"]),
    ("causes.alive_when_asked", "", [r"\*load (A\d) = 1 \(:21\)(.*\n)*? +\d+ +\*store \1: 1 -> 0 \(:27\)"]),
    ("causes.ready_overwritten", "", [r" waits on S1 \(no other thread has posted it\)\n    main\.0 read A1 at ready_overwritten\.cc:19 before main changed it at "
                                      r"ready_overwritten\.cc:29, and did not read it again\. It wrote over that at ready_overwritten\.cc:24\.\n",
                                      r"\*load A1 = 0 \(:19\).*\n(.*\n)*?.* \*rmw A1: 0 -> 1 \(:29\)(.*\n)*? .*\*store A1: 1 -> 2 \(:24\)\n"]),
    ("mutex.queue_deleted_by_main", "", [r"\*write (P\d) \(:38\)(.*\n)*?.*\*read \1 = 2 \(:52\), written by\s+main\.0\s+\(:38\)"]),
    ("use_after_free.text_of_evicted", "", [r" read the address from (P\d) at text_of_evicted\.cc:20\. Later, main\.0 freed the block with \1, at ", r"\*free the block with P\d "]),
    ("mutex.overwritten_while_held", "", [r"\nIt had locked request at overwritten_while_held\.c:14\. The memory was initialised again, overwritten or freed since\.\n"]),
    # The word of a futex is one object.
    ("futex.lost_wake", "", [r"\n  word: atomic, a global variable.*\n(?!  word: )"]),
    # Reference counts are no rows, unless they are the finding.
    ("library.shared_account", "", [r"one column per thread(.|\n)*\*store A\d: 0 -> 1 \(:21\)(.|\n)*Not shown: changes of shared_ptr's reference counts \(\d+\)\.\n",
                                    r"\A(?!(.|\n)* rmw )"]),
    # What a failure comes of can be a message: which channel was closed, and by whom.
    ("channels.closed_is_zero", "", [r"\*close C1 \(:12\)\n.*\*receive C1: closed \(:15\)\n"]),
    ("file_lock.shared_update", "", [r"\*write \"\S*counted-\w+\"\s+\(:29\)\n(.*\n)*?.*\*read \"\S*counted-\w+\" \(:37\)\n"]),
    ("descriptor.closed_twice", "", [r"\*close (\d+) \"/dev/null\" \(:12\)\n(.*\n)*?.*\*open \"/dev/zero\" = \1 \(:25\)\n(.*\n)*?.*\*close \1 \"/dev/zero\" \(:14\)\n(.*\n)*?"
                                    r".*\*read a file: Bad file descriptor \(:27\)\n"]),
    # In which state a thread has gone to wait, although it was notified; and who had looked before the waiter said what it wants.
    ("causes.quit_taken", "", [r"\*write (P\d) \(:20\)\n(.*\n)*?.*\*write \1 = 0 \(:29\)\n(.*\n)*?.*\*read \1 = 0 \(:26\)\n(.*\n)*?.*BLOCKED: wait for C1 \(:26\)"]),
    ("causes.request_after_look", "", [r"\n    (main\S*) read (A\d) at request_after_look\.cc:17 before (main\S*) changed it at request_after_look\.cc:25, and did not read it again\.\n",
                                       r"\*load (A\d) = 0 \(:17\)(.*\n)*? .*\*store \1: 0 -> \d \(:25\)"]),
    # How much a read or write has moved.
    ("descriptor.messages_together", "", [r"write socket 4->3: 8 bytes \(:21\)(.*\n)*? +\d+ +read socket 4->3: 16 bytes \(:27\)\n"]),
    ("descriptor.eventfd_emptied", "", [r"write eventfd 3: \+1 \(:\d+\)\n(.*\n)*?.*\*read eventfd 3 = 2 \(:13\)\n"]),
    ("descriptor.broken_pipe", "", [r"\nmain\S* closed the last one here:\n"]),
    ("descriptor.pipe_after_close", "", [r"\*close 4 of pipe 4->3 \(:25\)\n(.*\n)*?.*\*write pipe 4->3: Bad file descriptor \(:20\)\n"]),
    ("files.name_checked_first", "", [r"\n +\d+  \*access \"name-\S+\" \(:34\)(.*\n)*?.* \*unlink \"name-\S+\" \(:17\)(.*\n)*?.*\*open \"name-\S+\": No such file or directory \(:35\)"]),
    ("files.made_by_both", "", [r"\*stat \"made-\S+\": No such file\s+or\s+directory\s+\(:18\)(.*\n)*?.*\*mkdir \"made-\S+\" \(:19\)(.*\n)*?.*\*mkdir \"made-\S+\": File exists\s+\(:19\)"]),
    ("files.reserved_by_both", "", [r"\*fstat \"\S+\" \(:23\)\n(.*\n)*?.*\*posix_fallocate \"\S+\" \(:25\)\n(.*\n)*?.*\*posix_fallocate \"\S+\" \(:25\)\n"]),
    # The same if another thread's count is what the failing one read.
    ("files.grown_by_both", "", [r"\*fstat \"\S+\" \(:23\)(.*\n)*?.*\*ftruncate \"\S+\" \(:25\)\n(.*\n)*?.*\*ftruncate \"\S+\" \(:25\)\n"]),
    # Each call on a stream moves it.
    ("streams.position_shared", "", [r"\*(fread|fseek) stream of \"\S+\" \(:1[78]\)\n(.*\n)*?.*\*fread stream of \"\S+\" \(:18\)\n"]),
    ("streams.said_before_flushed", "", [r"\*fprintf stream of \"\S+\" \(:16\)\n(.*\n)*?.*\*fgets \"\S+\" \(:35\)\n"]),
    # What libstdc++ does for a stream is at the program's line.
    ("streams.rewritten_in_place", "", [r"\*fopen \"settings-\d+\" \(:21\)\n(.*\n)*?.*\*read \"\S*settings-\d+\" \(:26\)\n"]),
    ("future.wait_for", "", [r"\*wait F\d: timed out \(:16\)"]),
    ("futex.atomic_wait", "", [r"\nmain notified A2 \(and woke main\.\d\) last, here:\n    #0 .*atomic_wait\.cc:15:"]),
    ("causes.wait_without_loop", "", [r"\*wake up from C1: spurious \(:24\)\n"]),
    # The same in a thread that did not fail.
    ("causes.worker_without_loop", "", [r"\*wake up from C1: spurious \(:20\)\n"]),
    ("future.nobody_leads", "", [r" waits on F\d\n    (main\S*) read (P\d) at nobody_leads\.cc:21 before (main\S*) changed it at nobody_leads\.cc:36, and did not read it again\.\n"]),
    # What others wait for, or could have had.
    ("barrier.too_few", "", [r"\n  main\S* waits on round_end\n    arrived in this round: main\S* \(too_few\.c:18\)\n"]),
    ("channels.select_both_ready", "", [r"select: receive C2: closed \(possible, too: receive\s+C1\)"]),
    # The destruction of a semaphore is no operation.
    ("semaphore.late_post", "", [r"\nmain destroyed it here:\n    #0 .*late_post\.c:24:", r"\*destroy posted \(:24\)\n"]),
    # Where a bad address or index comes from.
    ("crash.check_asan", "", [r"\*read (P\d) = \S+ \(:28\)(.*\n)*?.*\*(next: write \1|write \1 = \S+) \(:20\)"]),
    ("crash.null_asan", "", [r"\*store A1: \S+ -> 0 \(:12\)\n(.*\n)*?.*\*load A1 = 0 \(:15\), written by main\.0 \(:12\)\n"]),
    ("heap.free_of_static", "", [r"\nmain\S* frees nobody, which is a global variable\.\nmain\S* read the address from name at \S+:18, where main\S* had written it at \S+:18\.\n"]),
    # The program's call of free, and not where ASan reports it.
    ("heap.double_free_asan", "", [r"\nmain\.\d fails here:\n    #0 .*double_free_asan\.cc:26:", r"\*HERE: sanitizer-report: free block \(:26\)\n",
                                r"SUMMARY: AddressSanitizer: double-free "]),
    ("channels.try_receive_race", "", [r" size of C1 = 1 \(:14\)\n"]),
    ("channels.receive_without_sender", "", [r"\n  main\.0 waits to receive from C1 \(no other thread has sent on it\)\n"]),
    ("annotations.unlock_not_owner", "", [r"\nmain\.0 unlocked it last, here:\n", r"\*unlock A1 \("]),
    # Calls that change what belongs to the process are rows, though they are no operations.
    ("process_state.file_mask", "", [r"\*umask 0777, was 022 \(:14\)\n(.*\n)*?.*\*umask 0777, was 0777 \(:14\)\n"]),
    ("process_state.resource_limits", "", [r"\n +setrlimit \(:24\)"]),
    # A variable without a name has a number.
    ("annotations.unprotected_read", "report_races=1", [r"\*HERE: data-race: (read|write) P1 \(", r"\n  P1: variable on the stack of main\n"]),
    # The loops at the end of a livelock are one row for each of their operations, so what led to it is there.
    ("spin.two_upgrades", "", [r"cas A1: 0 -> 1 \(:12\)(.*\n)*? .*cas A1: 1 -> 2 \(:12\)", r"failed, was 2 \(:10\)(.*\n){0,3}.*\(\d+ times\)"]),
    # The order of messages in a queue depends on their priority. A listener is no ordinary socket.
    ("descriptor.overtaken_job", "", [r"write message queue /jobs, priority 2 \(:28\)", r"read message queue /jobs, priority 2 \("]),
    ("descriptor.stopped_too_early", "", [r"\n  main\.0 waits to read from listening socket \d+\n"]),
    # Blocked threads: the cause leads, and says who has gone.
    ("channels.reader_ends", "", [r"ERROR: HeddleSanitizer: blocked-threads.*\n  main\.1 waits to send on C\d\n", r"\nmain\.0 received from C\d last, and has ended\. It did so here:\n",
                                  r"\n  C\d: channel without a buffer, made at reader_ends\.cc:8\n"]),
    # The cause holds a lock that others want: since where, once.
    ("go_programs.hub", "", [r"\n  main\.2 waits to send on C2\n(.|\n)*\nmain\.2 has held M1 since here:\n    #0 .*hub\.cc:21:(?!(.|\n)*has held)", r"\*lock M1 \(:21\)"]),
    ("channels.wait_group_not_done", "", [r"\n    its count is [12]: main called add\(2\) \(wait_group_not_done\.cc:10\)", r" add W1: 0 -> 2 \(:10\)\n"]),
    ("channels.select_all_gone", "", [r"\n    a case sends on C1\n    a case receives from C2\n", r"BLOCKED: select: send C1, receive C2 \(:9\)\n"]),
    ("semaphore.not_given_back", "", [r"\n  main waits on S1\n", r"\nmain\.0 took S1 last, and has ended\. It did so here:\n +#0 .*not_given_back\.cc:15:"]),
    # By the variable that holds it.
    ("channels.global_channel", "", [r"\n  main\.1 waits to send on jobs\n", r"\n  jobs: channel without a buffer, made at global_channel\.cc:\d+\n"]),
    # What main read before it was woken is not why it waits again.
    ("condvar.count_by_two_locks", "", [r"\n  main waits for a notification on ended\n(?!    main read)"]),
    # Functions of one line are wrappers, inlined or not.
    ("mutex.wrapped", "", [r"\n    #0 .* in .*Account::enter\S* \S*wrapped\.cc:13:\d+\n    #1 .*Account::lock\S* \S*wrapped\.cc:14:",
                           r"SUMMARY: HeddleSanitizer: double-lock \S*wrapped\.cc:24:\d+ in .*Account::deposit",
                           r"lock M1 \(:18\)(.|\n)*HERE: double-lock \(:24\)\n"]),
    ("time.lease", "", [r"\n +time passes: [\d.]+ m?s\n"]),
    # A time limit that time alone did not bring, with the option that promises that.
    ("time.limit_beside_busy_threads", "timeouts=patient", [r"\nA time limit of main expired although other threads could go on\. They had made \d{6} operations by then\n"]),
    # The lock that a thread waits for is another one by now.
    ("mutex.initialised_again", "", [r"\nmain initialises an object that is in use: mutex m, (.|\n)*\nmain\.0 waits here:\n"]),
    ("mutex.initialised_again", "report_misuse=0", [r"SUMMARY: HeddleSanitizer: deadlock ",
                                                    r"\n  main\.0 waits to lock m, which main holds \(its memory was initialised again, overwritten or freed since\)\n"]),
    ("mutex.ab_ba", "report=short", [r"\A(?!(.|\n)*The interleaving)(.|\n)*2 threads wait for each other:\n(.|\n)*, here:\n( +#.*\n)+\nSignature: (.|\n)*SUMMARY: Hedd"]),
    ("crash.uncaught", "", [ONLY_REPORT]),
    ("crash.null", "", [ONLY_REPORT]),
    ("crash.null_call", "", [ONLY_REPORT]),
    ("crash.null_mutex", "", [ONLY_REPORT]),
    ("crash.breakpoint", "", [ONLY_REPORT]),
    ("crash.trap_asan", "", [ONLY_REPORT, r" fails: signal SIGILL\n(.|\n)*\*store A1: 1 -> 1 \(:17\)"]),
    ("heap.leaked_asan", "", [r"\nheddle: what the threads did in the execution that leaked\n(.|\n)* lock mutex \(:30\)(.|\n)*\nTo replay: \S+ (\S+/leak-[0-9a-f]{40})\n(.|\n)*Test unit written to \3\n"]),
    # Nothing that main has read leads to the cause, so the last data races have the stars.
    ("plain.raced_through_a_file", "", [r"\*read next_slot = 0 \(:20\)(.*\n)*? .*\*write next_slot = 1 \(:21\)(.*\n)*? .*\*write next_slot: 1 -> 1 \(:21\)"]),
    # The same for threads that wait, where the races are listed, too.
    ("plain.awaits_a_lost_record", "", [r"\*read P1 = 0 \(:28\)(.*\n)*? .*\*write P1 = 1 \(:29\)(.*\n)*? .*\*write P1: 1 -> 1 \(:29\)",
                                        r"\nThis execution had (a data race|data races)\. "]),
    ("spin.looks_once", "", [r"\*read P1 = 0 \(:15\), initial value\n(.*\n)*? .*\*write P1 = 1 \(:18\)\n",
                             r"\nThis execution had a data race\. .*\n  P1: main\.0 reads at \S*looks_once\.cc:15:.*; main writes at \S*looks_once\.cc:18:"]),
    # Calls on a timer are no operations, but rows.
    ("channels.timer_stopped_late", "", [r"select: receive C2 \(:18\).*\n +stop timer: was not running \(:23\)\n(.*\n)*? +\*BLOCKED: receive timer \(:23\)\n"]),
    # A free that was a choice point is one row, though it is an operation on a variable within the block.
    ("use_after_free.erased_entry", "", [r"\n +\d+ [^\n]*\*free block \(:28\)"]),
    # With ASan, too, and a second free is one.
    ("plain.use_after_free", "", [r"\n +\d+ [^\n]*\*free block \(:21\)"]),
    ("atomics.refcount", "", [r"SUMMARY: AddressSanitizer: double-free "]),
    ("weak.dekker", "memory=rc11", [r"main\.\d's load of flag_of(\+4)? at dekker\.cc:19 .* does not see main\.\d's store at dekker\.cc:18 ",
                                    r"No order of all these operations", r"main\.0: store flag_of at dekker\.cc:18 \(release\), then load flag_of\+4 at"]),
    ("weak.published_early", "memory=rc11", [r"It would, with release at published_early\.cc:21 and acquire at published_early\.cc:23 "]),
]


def report_of(work, programs, name, options, seed=1):
    binary = programs / ("program_fail_" + name.replace(".", "_"))
    done = subprocess.run([binary, f"-seed={seed}", "-runs=5000", f"-artifact_prefix={work}/"], capture_output=True, timeout=240,
                          env=dict(os.environ, HEDDLE_OPTIONS=options))
    text = (done.stdout + done.stderr).decode(errors="replace")
    (work / f"{name}.txt").write_text(text)
    return text


def said(work, programs, name, options, seed):
    """The report without the marks of the rows that the schedule has asked for: they depend on the one that finds the bug first."""
    return re.sub(r" \[(constrained|constraint dropped|delayed)\]$", "", report_of(work, programs, name, options, seed), flags=re.M)


def own_files(text):
    """Files of heddle's that the report takes for the program's."""
    ours = {path.name for path in (pathlib.Path(__file__).resolve().parents[2] / "schedule-runtime").rglob("*.cc")}
    story = re.search(r"^The interleaving, .*?^Signature:", text, re.MULTILINE | re.DOTALL)
    if not story:
        return ["no interleaving"]
    summaries = re.findall(r"^SUMMARY: \w+Sanitizer: .*$", text, re.MULTILINE)
    return sorted(ours & set(re.findall(r"([\w.]+\.cc):\d+", "\n".join([story.group(0), *summaries]))))


def main():
    work, programs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    failures = []
    for name, options, wanted, top in EXPECTED:
        text = report_of(work, programs, name, options)
        kind, state, complaints = parse(text)
        print(f"{name}: {kind!r}, {state}")
        if not re.fullmatch(wanted, kind):
            failures.append(f"{name}: the type is {kind!r}, not {wanted}")
        # Below the user's frames those of the runtime may fill the state up: they are always the same ones, and tell no two findings apart.
        if not state or not re.fullmatch(top, state[0]):
            failures.append(f"{name}: the first line is {state[:1]}, not {top}")
        failures += [f"{name}: {c}" for c in complaints]
        failures += [f"{name}: names {file} as a place of the program" for file in own_files(text)]
    for name, options, wanted in SAYS:
        # One bug can show in several ways. The first one found depends on the seed, and on the positions of the code, which each change moves.
        for seed in range(1, 7):
            text = said(work, programs, name, options, seed)
            missing = [line for line in wanted if not re.search(line, text)]
            if not missing:
                break
        failures += [f"{name}: does not say {line}" for line in missing]
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
