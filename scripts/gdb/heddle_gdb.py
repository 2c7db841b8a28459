"""gdb commands for programs under heddle. The kernel sees one thread that does everything and many
that are parked in a futex; these commands show the fibers, which are the program's threads.

    (gdb) source heddle_gdb.py
    (gdb) heddle fibers          every fiber: number, state, pthread, where it is
    (gdb) heddle bt 2            the stack of fiber 2
    (gdb) heddle bt all          all of them

Needs the runtime's debug information.
"""

import gdb

RECORDS = "'heddle::fiber::(anonymous namespace)::all'"
RUNNING = "'heddle::fiber::(anonymous namespace)::running'"
DONORS = "'heddle::fiber::(anonymous namespace)::donors'"

# Callee-saved registers in the saved frame, by word; then the frame's size in words. From context.h and the assembly files.
LAYOUTS = {
    "x86-64": (
        {"r15": 1, "r14": 2, "r13": 3, "r12": 4, "rbx": 5, "rbp": 6, "rip": 7},
        8,
        "rsp",
    ),
    "aarch64": (
        {**{"x%d" % (19 + i): i for i in range(11)}, "pc": 11},
        22,
        "sp",
    ),
}


def layout():
    name = gdb.selected_frame().architecture().name()
    return LAYOUTS["aarch64" if "aarch64" in name else "x86-64"]


def value(expression):
    try:
        return gdb.parse_and_eval(expression)
    except gdb.error as error:
        raise gdb.GdbError(
            "cannot read heddle's fibers (%s): is this a heddle target with debug information?" % error
        )


def records():
    all_records = value(RECORDS)
    if int(all_records) == 0:
        raise gdb.GdbError("heddle has not started any execution yet")
    return [all_records[i] for i in range(int(value(DONORS)) + 1)]


def state(record):
    return str(record["state"]).rsplit("::k", 1)[-1].lower()


def is_running(record):
    return int(value(RUNNING)) == int(record.address)


def saved_words(record):
    """The saved frame of a suspended fiber: (word by index, stack pointer behind it)."""
    _, words, _ = layout()
    start = int(record["stack_pointer"])
    pointer = gdb.Value(start).cast(gdb.lookup_type("unsigned long").pointer())
    return (lambda i: int(pointer[i])), start + 8 * words


def place(pc):
    block = gdb.block_for_pc(pc)
    while block is not None and block.function is None:
        block = block.superblock
    name = block.function.print_name if block is not None else None
    line = gdb.find_pc_line(pc)
    if name is None:
        return gdb.execute("info symbol 0x%x" % pc, to_string=True).strip()
    if line.symtab is None:
        return name
    return "%s at %s:%d" % (name, line.symtab.filename, line.line)


def first_place_of_the_program(record):
    """Past the frames of the runtime itself, by frame pointers."""
    word, _ = saved_words(record)
    registers, _, _ = layout()
    pc = word(registers.get("rip", registers.get("pc")))
    frame = word(registers.get("rbp", registers.get("x29")))
    long_pointer = gdb.lookup_type("unsigned long").pointer()
    text = place(pc)
    for _ in range(32):
        if not text.startswith("heddle") or frame == 0:
            break
        try:
            memory = gdb.Value(frame).cast(long_pointer)
            frame, pc = int(memory[0]), int(memory[1])
        except gdb.error:
            break
        text = place(pc)
    return text


def is_suspended(record):
    return state(record) == "live" and not is_running(record)


def set_registers(contents):
    for name, content in contents.items():
        # Each change can make gdb select another frame. Then `set` would write to that frame's stack.
        gdb.newest_frame().select()
        gdb.execute("set $%s = 0x%x" % (name, content % 2**64), to_string=True)


def backtrace(record):
    """With the saved registers put in place for the while; only a live process allows that."""
    if is_running(record):
        gdb.execute("backtrace")
        return
    if not is_suspended(record):
        print("not begun" if state(record) == "ready" else "not running anything")
        return
    word, stack_pointer = saved_words(record)
    registers, _, stack_register = layout()
    wanted = {name: word(i) for name, i in registers.items()}
    wanted[stack_register] = stack_pointer
    gdb.newest_frame().select()
    before = {name: int(gdb.parse_and_eval("(unsigned long)$" + name)) for name in wanted}
    try:
        set_registers(wanted)
        gdb.newest_frame().select()
        gdb.execute("backtrace")
    except gdb.error as error:
        print("cannot set registers here (%s); the fiber is at %s" % (error, first_place_of_the_program(record)))
    finally:
        try:
            set_registers(before)
            gdb.newest_frame().select()
        except gdb.error:
            pass


class Heddle(gdb.Command):
    """Commands for programs under heddle."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_STACK, prefix=True)


class Fibers(gdb.Command):
    """List heddle's fibers: the threads of the program under test."""

    def __init__(self):
        super().__init__("heddle fibers", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        for record in records():
            number = int(record["number"])
            if state(record) == "free":
                continue
            mark = "*" if is_running(record) else " "
            if is_running(record):
                where = "running"
            elif number == 0:
                where = "engine"
            elif is_suspended(record):
                where = first_place_of_the_program(record)
            else:
                where = ""
            print(
                "%s %3d  %-8s  pthread 0x%x  stack 0x%x-0x%x  %s"
                % (
                    mark,
                    number,
                    state(record),
                    int(record["handle"]),
                    int(record["stack_low"]),
                    int(record["stack_high"]),
                    where,
                )
            )


class Backtrace(gdb.Command):
    """heddle bt NUMBER|all: the stack of a fiber."""

    def __init__(self):
        super().__init__("heddle bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        argument = argument.strip() or "all"
        every = records()
        if argument == "all":
            chosen = [r for r in every if is_running(r) or is_suspended(r)]
        elif argument.isdigit() and int(argument) < len(every):
            chosen = [every[int(argument)]]
        else:
            raise gdb.GdbError("heddle bt NUMBER|all; numbers are those of `heddle fibers`")
        for record in chosen:
            print("fiber %d (%s)" % (int(record["number"]), state(record)))
            backtrace(record)
            print("")


Heddle()
Fibers()
Backtrace()
