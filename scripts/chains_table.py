#!/usr/bin/env python3
"""How many chains of a mode come true in whole, as a table in Markdown.

For each program of tests/programs/pass that is named, and each mode: the fuzzer runs from nothing, and
HEDDLE_OPTIONS=stats_path says how many chains its inputs had, how many came true in whole, and what
stopped the others (the three most frequent causes). With --least, programs below it are listed, and
the exit code is 1.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PASS = ROOT / "tests" / "programs" / "pass"


def figures(binary, mode, seed, runs):
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work) / "statistics"
        options = f"symbolize=0:progress=0:mode={mode}:stats_path={path}"
        subprocess.run([binary, f"-seed={seed}", f"-runs={runs}"], cwd=work, capture_output=True,
                       check=True, env=dict(os.environ, HEDDLE_OPTIONS=options))
        return json.loads(path.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=["go_programs/*"])
    parser.add_argument("--binaries", type=pathlib.Path,
                        default=ROOT / "build" / "tests" / "programs" / "bin")
    parser.add_argument("--modes", default="gopie-hb,mixed", type=lambda text: text.split(","))
    parser.add_argument("--runs", default=2000, type=int)
    parser.add_argument("--seeds", default=1, type=int)
    parser.add_argument("--least", type=float, help="percent of chains in whole")
    arguments = parser.parse_args()
    names = [str(path.relative_to(PASS).with_suffix("")) for pattern in arguments.programs
             for path in sorted(PASS.glob(pattern + ".c*"))]
    print("| program | mode | chains | in whole | what stopped the others |")
    print("| --- | --- | ---: | ---: | --- |")
    below = []
    for mode in arguments.modes:
        all_chains = all_whole = 0
        for name in names:
            binary = arguments.binaries / ("program_pass_" + name.replace("/", "_"))
            chains = whole = 0
            causes = {}
            for seed in range(1, 1 + arguments.seeds):
                found = figures(binary.resolve(), mode, seed, arguments.runs)
                chains += found["chains"]
                whole += found["chains_whole"]
                for cause, n in found["chains_not_realised"].items():
                    causes[cause] = causes.get(cause, 0) + n
            share = 100 * whole / max(1, chains)
            if arguments.least is not None and share < arguments.least:
                below.append(f"{name} in {mode}: {share:.1f} %")
            most = sorted((n, cause) for cause, n in causes.items() if n)[:-4:-1]
            told = ", ".join(f"{cause} {n}" for n, cause in most)
            print(f"| `{name}` | {mode} | {chains:,} | {share:.0f} % | {told} |", flush=True)
            all_chains += chains
            all_whole += whole
        share = 100 * all_whole / max(1, all_chains)
        print(f"| all | {mode} | {all_chains:,} | {share:.0f} % | |")
    for line in below:
        print(f"below {arguments.least:g} %: {line}")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
