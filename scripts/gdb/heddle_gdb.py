"""gdb commands for programs under heddle: `heddle debug TARGET FILE` loads them.

    (gdb) heddle start           run up to the finding
    (gdb) heddle threads         every thread: name, state, and its operation
    (gdb) heddle bt main.0       the stack of a thread; `all` for all of them
    (gdb) heddle step [THREAD]   run to the next operation, of any thread or of this one
    (gdb) heddle back            run again, up to the operation before
    (gdb) heddle goto STEP       run again, up to this step of the report

The kernel sees one thread that does everything, so gdb's own `info threads` does not list the program's. What is read here is described
in schedule-runtime/trace/debugger.h. It needs no debug information of heddle.
"""

import os
import struct

import gdb

VERSION = 1
THREAD = struct.Struct("<IIQQQQQ64s48s")
POSITION = struct.Struct("<QIIII")
RUNNING, PARKED, NOT_BEGUN, FINISHED = range(4)
STATES = ["running", "parked", "not begun", "finished"]

# Callee-saved registers in a saved frame, by word; then the frame's size in words, and the name of the stack pointer. From fiber/context.h
# and the assembly files.
LAYOUTS = {
    "x86-64": ({"r15": 1, "r14": 2, "r13": 3, "r12": 4, "rbx": 5, "rbp": 6, "rip": 7}, 8, "rsp"),
    "aarch64": ({**{"x%d" % (19 + i): i for i in range(11)}, "pc": 11}, 22, "sp"),
}
MOST_FRAMES = 64
LONGEST_SEARCH = 100000  # operations


def address_of(symbol):
    try:
        return int(gdb.parse_and_eval("(unsigned long)&" + symbol))
    except gdb.error:
        raise gdb.GdbError("heddle: this is no program under heddle: it has no symbol %s" % symbol)


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def write_stop_step(step):
    gdb.selected_inferior().write_memory(address_of("heddle_debug_stop_step"), struct.pack("<I", step & 0xFFFFFFFF))


def require_process():
    if gdb.selected_inferior().pid == 0:
        raise gdb.GdbError("heddle: the program does not run. `heddle start` runs it")


class Position:
    def __init__(self):
        self.execution, self.step, self.previous_step, self.thread, self.threads = POSITION.unpack(
            read(address_of("heddle_debug_now"), POSITION.size))


class Thread:
    def __init__(self, words):
        self.index, self.state, self.saved, self.pc, self.object, self.low, self.high, name, operation = words
        self.name = name.split(b"\0")[0].decode(errors="replace")
        self.operation = operation.split(b"\0")[0].decode(errors="replace")


def threads():
    data = read(address_of("heddle_debug_threads"), Position().threads * THREAD.size)
    return [Thread(words) for words in THREAD.iter_unpack(data)]


def look():
    """At a signal, heddle has had no occasion to write down where its threads are."""
    require_process()
    if struct.unpack("<I", read(address_of("heddle_debug_version"), 4))[0] != VERSION:
        raise gdb.GdbError("heddle: these gdb commands and the program are from different versions of heddle")
    if gdb.newest_frame().name() not in STOPS:
        gdb.parse_and_eval("((void (*)(void)) heddle_debug_look)()")


def symbol_at(address):
    text = gdb.execute("info symbol 0x%x" % address, to_string=True).strip()
    return "0x%x" % address if text.startswith("No symbol") else text.split(" in section")[0]


def place(pc):
    """Of the call that returns to `pc`."""
    line = gdb.find_pc_line(pc - 1)
    if line.symtab is None:
        return symbol_at(pc - 1)
    return "%s:%d" % (os.path.basename(line.symtab.filename), line.line)


def object_text(address):
    if address == 0:
        return ""
    name = symbol_at(address)
    return " " + name


def of_heddle(frame):
    name = frame.name() or ""
    return address_of("heddle_code_begin") <= frame.pc() < address_of("heddle_code_end") or name.startswith(("__tsan_", "__wrap_", "__sanitizer_"))


def of_the_system(frame):
    line = frame.find_sal()
    if line is None or line.symtab is None:
        return (gdb.solib_name(frame.pc()) or "").startswith(("/usr/lib", "/lib"))
    return line.symtab.fullname().startswith("/usr/") or line.symtab.objfile.filename.startswith(("/usr/lib", "/lib"))


def frame_of_the_user():
    """The newest frame that is neither heddle's nor of the standard library; None if there is none."""
    frame = gdb.newest_frame()
    for _ in range(MOST_FRAMES):
        if frame is not None and (frame.name() or "").startswith("fuzzer::"):
            return None  # no thread of the program runs: this is the engine's stack
        if frame is None or not (of_heddle(frame) or of_the_system(frame)):
            return frame
        frame = frame.older()
    return None


def line_of(frame):
    line = frame.find_sal()
    if line is None or line.symtab is None:
        return frame.name() or "0x%x" % frame.pc()
    return "%s:%d" % (os.path.basename(line.symtab.filename), line.line)


def print_stack(whole):
    frame = gdb.newest_frame()
    for _ in range(MOST_FRAMES):
        if frame is None:
            break
        line = frame.find_sal()
        where = " at %s:%d" % (line.symtab.filename, line.line) if line is not None and line.symtab is not None else ""
        if whole or not (of_heddle(frame) or of_the_system(frame)):
            print("  #%-2d %s%s" % (frame.level(), frame.name() or "0x%x" % frame.pc(), where))
        try:
            frame = frame.older()
        except gdb.error:
            break


def layout():
    name = gdb.selected_frame().architecture().name()
    return LAYOUTS["aarch64" if "aarch64" in name else "x86-64"]


def set_registers(contents):
    for name, content in contents.items():
        # Each change can make gdb select another frame. Then `set` would write to that frame's stack.
        gdb.newest_frame().select()
        gdb.execute("set $%s = 0x%x" % (name, content % 2**64), to_string=True)


def on_thread(thread, action):
    """With a parked thread's registers put in place for the while; only a live process allows that."""
    registers, words, stack_register = layout()
    saved = struct.unpack("<%dQ" % words, read(thread.saved, 8 * words))
    wanted = {name: saved[word] for name, word in registers.items()}
    # The call, not where it returns to: a function that ends the run returns nowhere, so another one begins there.
    pc = "rip" if "rip" in wanted else "pc"
    wanted[pc] -= 1 if pc == "rip" else 4
    wanted[stack_register] = thread.saved + 8 * words
    gdb.newest_frame().select()
    before = {name: int(gdb.parse_and_eval("(unsigned long)$" + name)) for name in wanted}
    try:
        set_registers(wanted)
        gdb.newest_frame().select()
        return action()
    finally:
        set_registers(before)
        gdb.newest_frame().select()


STOPS = ("heddle_on_operation", "heddle_on_finding")


class OnExecution(gdb.Breakpoint):
    """Asks for the step in the execution that is wanted, and does not stop."""

    def __init__(self):
        super().__init__("heddle_on_execution", internal=True)
        self.silent = True
        self.execution, self.step = 0, 0

    def stop(self):
        if self.step != 0 and Position().execution == self.execution:
            write_stop_step(self.step)
        return False


class Debugging:
    """One per gdb: its breakpoints, and the execution that is being looked at."""

    def __init__(self):
        self.begin = None
        self.execution = 0

    def prepare(self):
        if self.begin is not None:
            return
        address_of("heddle_debug_now")
        self.begin = OnExecution()
        for name in STOPS:
            gdb.Breakpoint(name, internal=True).silent = True

    def run(self, step=0):
        self.prepare()
        self.begin.execution, self.begin.step = self.execution, step
        gdb.execute("with confirm off -- run", to_string=True)
        self.stopped()

    def go_on(self, step):
        write_stop_step(step)
        gdb.execute("continue", to_string=True)

    def stopped(self):
        if gdb.selected_inferior().pid == 0:
            print("heddle: the program has ended")
            return
        look()
        now = Position()
        self.execution = now.execution
        where = gdb.newest_frame().name()
        if where == "heddle_on_finding":
            finding = gdb.Value(address_of("heddle_debug_finding")).cast(gdb.lookup_type("unsigned long").pointer()).dereference()
            name = read(int(finding), 64).split(b"\0")[0].decode(errors="replace")
            print("heddle: %s, after step %d. `heddle threads` lists the threads" % (name, now.step))
        elif where == "heddle_on_operation":
            say_operation(now)
        else:
            print("heddle: stopped after step %d" % now.step)
        frame = frame_of_the_user()
        if frame is not None:
            frame.select()
            gdb.execute("frame")
        elif where == "heddle_on_finding":
            print("heddle: no thread runs. `heddle bt all` shows where they wait")


DEBUGGING = Debugging()


def place_of(thread):
    """The user's line, so far as the thread's stack tells it."""
    if thread.state in (RUNNING, PARKED):
        frame_line = lambda: line_of(frame_of_the_user()) if frame_of_the_user() is not None else None
        at = frame_line() if thread.state == RUNNING else on_thread(thread, frame_line)
        if at is not None:
            return at
    return place(thread.pc)


def say_operation(now):
    thread = threads()[now.thread] if now.thread < now.threads else None
    if thread is None:
        print("step %d" % now.step)
        return
    print("step %d: %s  %s%s  %s" % (now.step, thread.name, thread.operation, object_text(thread.object), place_of(thread)))


def thread_by_name(name):
    for thread in threads():
        if thread.name == name:
            return thread
    raise gdb.GdbError("heddle: no thread %s; `heddle threads` lists them" % name)


class Heddle(gdb.Command):
    """Commands for programs under heddle: start, threads, bt, step, back, goto."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_STACK, prefix=True)


class Start(gdb.Command):
    """heddle start: run up to the finding."""

    def __init__(self):
        super().__init__("heddle start", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        DEBUGGING.run()


class Threads(gdb.Command):
    """heddle threads: the threads of the program, with the operation that each has made or waits for."""

    def __init__(self):
        super().__init__("heddle threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        look()
        for thread in threads():
            at = "" if thread.state == FINISHED or thread.pc == 0 else "%s%s  %s" % (thread.operation, object_text(thread.object), place_of(thread))
            print(("%s %-12s %-9s  %s" % ("*" if thread.state == RUNNING else " ", thread.name, STATES[thread.state], at)).rstrip())


class Backtrace(gdb.Command):
    """heddle bt [-whole] THREAD|all: the stack of a thread. With -whole, also the frames of heddle and of the system's libraries."""

    def __init__(self):
        super().__init__("heddle bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        whole = "-whole" in words
        names = [word for word in words if word != "-whole"] or ["all"]
        look()
        chosen = [t for t in threads() if t.state != FINISHED] if names == ["all"] else [thread_by_name(name) for name in names]
        for thread in chosen:
            print("%s (%s)" % (thread.name, STATES[thread.state]))
            if thread.state == RUNNING:
                print_stack(whole)
            elif thread.state == PARKED:
                on_thread(thread, lambda: print_stack(whole))


class Step(gdb.Command):
    """heddle step [THREAD]: run to the next operation, of any thread or of this one."""

    def __init__(self):
        super().__init__("heddle step", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        require_process()
        DEBUGGING.prepare()
        look()
        wanted = thread_by_name(argument.strip()).index if argument.strip() else None
        for _ in range(LONGEST_SEARCH):
            DEBUGGING.go_on(Position().step + 1)
            if gdb.selected_inferior().pid == 0 or gdb.newest_frame().name() != "heddle_on_operation":
                break
            if wanted is None or Position().thread == wanted:
                break
        DEBUGGING.stopped()


class Goto(gdb.Command):
    """heddle goto STEP: run again, up to the operation with this step of the report."""

    def __init__(self):
        super().__init__("heddle goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        if not argument.strip().isdigit() or int(argument) == 0:
            raise gdb.GdbError("heddle goto STEP: a step is a number of the report's first column")
        if DEBUGGING.execution == 0:
            raise gdb.GdbError("heddle: first run up to the finding with `heddle start`")
        DEBUGGING.run(int(argument))


class Back(gdb.Command):
    """heddle back: run again, up to the operation before this one."""

    def __init__(self):
        super().__init__("heddle back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        require_process()
        look()
        now = Position()
        target = now.previous_step if gdb.newest_frame().name() == "heddle_on_operation" else now.step
        if target == 0:
            raise gdb.GdbError("heddle: this is the first operation")
        DEBUGGING.run(target)


Heddle()
for command in (Start, Threads, Backtrace, Step, Goto, Back):
    command()
