"""What the tests of this directory say of a target's output. All that fails is said, not only the first."""
import pathlib

failures = []


def expect(what, condition, output):
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}\n{output[-5000:]}")


def line_of(source, mark):
    """The number of the line that ends with the comment."""
    return next(n for n, line in enumerate(pathlib.Path(source).read_text().splitlines(), 1) if line.endswith(f"// {mark}"))
