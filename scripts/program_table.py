"""What the tables over the programs of tests/programs/fail share (minimize_table.py, explain_table.py).

For each program the fuzzer searches for its finding, a command of heddle works on the saved input, and its output becomes a row. Programs
without a row are listed below the table with the reason.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "programs"
sys.path.insert(0, str(PROGRAMS))
import run_program  # noqa: E402


class NoRow(Exception):
    """The reason why a program has no row."""


def make_parser(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=["*/*"], help="as condvar/late_notify or 'kernels/*' (default: all)")
    parser.add_argument("--heddle", type=pathlib.Path, default=ROOT / "build" / "bin" / "heddle")
    parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / "build" / "tests" / "programs" / "bin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser


def find(binary, fields, seed, work):
    """The saved input of a search."""
    environment = dict(os.environ, HEDDLE_OPTIONS=":".join(["symbolize=0"] + [o for o in [fields.get("options")] if o]), UBSAN_OPTIONS="symbolize=0")
    saved = work / "crash"
    subprocess.run([binary, f"-seed={seed}", f"-runs={fields.get('budget', '2000')}", f"-exact_artifact_path={saved}", "-timeout=20"],
                   env=environment, cwd=work, capture_output=True, timeout=600)
    return saved if saved.exists() else None


def binary_and_options(arguments, source):
    """The failing program of this source, and its HEDDLE_OPTIONS."""
    name = "_".join(source.with_suffix("").parts[-2:])
    return (arguments.binaries / f"program_fail_{name}").resolve(), run_program.parse_header(source).get("options", "")


def work_on_finding(arguments, program, command, row_of):
    """The row that row_of(output, source, work) makes of the command's output. command(work, twin): its name, and options after target and input;
    twin is the passing program."""
    source = next(path for path in (PROGRAMS / "fail" / (program + suffix) for suffix in (".cc", ".c")) if path.exists())
    binary, twin = (arguments.binaries / f"program_{kind}_{program.replace('/', '_')}" for kind in ("fail", "pass"))
    fields = run_program.parse_header(source)
    if not binary.exists():
        raise NoRow("not built")
    binary = binary.resolve()
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        saved = find(binary, fields, arguments.seed, work)
        if saved is None:
            raise NoRow("nothing found")
        name, *options = command(work, twin.resolve())
        done = subprocess.run([arguments.heddle, name, binary, saved, *options], capture_output=True, text=True, cwd=work,
                              env=dict(os.environ, HEDDLE_OPTIONS=fields.get("options", "")))
        if done.returncode != 0:
            raise NoRow((done.stderr.strip().splitlines() or ["?"])[-1].replace(str(binary), binary.name))
        return row_of(done.stdout, source, work)


def print_table(arguments, columns, command, row_of, print_row, print_summary):
    """print_row(program, row) prints a line of the table and what belongs to it."""
    arguments.heddle = arguments.heddle.resolve()
    fail = PROGRAMS / "fail"
    names = [name for pattern in arguments.programs
             for name in sorted(str(p.relative_to(fail).with_suffix("")) for suffix in (".cc", ".c") for p in fail.glob(pattern + suffix))]

    def measure(name):
        try:
            return name, work_on_finding(arguments, name, command, row_of)
        except NoRow as reason:
            return name, reason

    rows, failed = [], []
    print(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for program, row in pool.map(measure, names):
            if isinstance(row, NoRow):
                failed.append((program, row))
                continue
            rows.append(row)
            print_row(program, row)
    for program, reason in failed:
        print(f"- `{program}`: {reason}")
    if rows:
        print_summary(rows)
