#!/usr/bin/env python3
"""A mirror for the prose of the pages at the top and in docs: prose_mirror.py [FILE.md...]

Shows, page by page, how long the sentences are, and where to look: sentences over 35 words, prose lines over 100 columns, and
turns of phrase that a reader whose first language is another stumbles over. Tables and code do not count. Aims: no such sentence,
a median of at most 18 words. This is a mirror and no judge: the exit code is 1 only if a reference leads nowhere.
"""

import pathlib
import re
import signal
import statistics
import sys

import check_tree

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_WORDS, MEDIAN_WORDS, MOST_COLUMNS = 35, 18, 100
# A word, and a better one.
AVOIDED = {
    r"for ever": "without end, endlessly",
    r"besides": "also, too",
    r"kin": "and similar functions",
    r"go(?:es|ing)? round|in a circle": "spins, loops",
    r"lets? go(?: of)?": "releases, drops",
    r"whoever|whatever may": "the one that, what",
    r"is no (?:finding|access|variable|error|schedule|choice)": "is not a ...",
    r"for want of|for the sake of|in the way of": "without, for",
    r"the how-manyth|how-manyth": "counts the times",
    r"lest|save for|one and the same|so far as|by itself alone": "a plain word",
    r"thereby|whereby|thereof|hitherto|whilst": "a second sentence",
    r"is told of": "gets, sees",
    r"what is more": "also",
    r"at the most|at the least": "at most, at least",
    r"by and large|in the manner of|on the part of": "a plain word",
}
AVOIDED_RE = re.compile("|".join(rf"(?P<w{i}>\b(?:{words})\b)" for i, words in enumerate(AVOIDED)), re.IGNORECASE)


def prose_lines(text):
    """(number, line) of what is neither code nor table nor heading nor a marker of generated text."""
    fenced, indented, item, before = False, False, False, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            # Indented code begins after an empty line. Below a list item, indented text belongs to the item.
            indented = line.startswith("    ") and (indented or not (before.strip() or item))
            item = not indented and (bool(re.match(r"\s*(?:[-*]|\d+\.)\s", line)) or (item and line.startswith(" ")))
        before = line
        if line.lstrip().startswith("```"):
            fenced = not fenced
            yield number, ""
        elif fenced or indented or line.lstrip().startswith(("|", "#", "<!--")):
            yield number, ""
        else:
            yield number, line


def plain(line):
    line = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", line)
    line = re.sub(r"`[^`]*`", "code", line)
    return re.sub(r"[*_]{1,2}(\S[^*_]*)[*_]{1,2}", r"\1", line)


def sentences(text):
    """(number of its first line, sentence)"""
    paragraph, start = [], 0

    def finish():
        if paragraph:
            for part in re.split(r"(?<=[.!?])[\"')]*\s+(?=[A-Z\"'(\d]|code)|(?<=:)\s*$", " ".join(paragraph)):
                if part.strip():
                    yield start, part.strip()

    for number, line in prose_lines(text):
        item = re.match(r"\s*(?:[-*]|\d+\.)\s+(.*)", line)
        if not line.strip() or item:
            yield from finish()
            paragraph, start = [], number
        if item:
            line = item.group(1)
        if line.strip():
            if not paragraph:
                start = number
            paragraph.append(plain(line.strip()))
    yield from finish()


def words_of(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


def look(name, text):
    """(median words, remarks) of a page."""
    found = [(number, len(words_of(sentence)), sentence) for number, sentence in sentences(text)]
    lengths = [count for _, count, _ in found if count]
    remarks = [f"{name}:{number}: {count} words: {sentence[:70]}..." for number, count, sentence in found if count > MOST_WORDS]
    for number, line in prose_lines(text):
        if len(line) > MOST_COLUMNS:
            remarks.append(f"{name}:{number}: {len(line)} columns")
        for match in AVOIDED_RE.finditer(plain(line)):
            better = list(AVOIDED.values())[int(match.lastgroup[1:])]
            remarks.append(f"{name}:{number}: '{match.group(0)}': better: {better}")
    return (statistics.median(lengths) if lengths else 0), remarks


def pages(arguments):
    if arguments:
        return [pathlib.Path(argument).resolve() for argument in arguments]
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # for output that is cut, as by head
    remarks = []
    for page in pages(sys.argv[1:]):
        name = str(page.relative_to(ROOT)) if page.is_relative_to(ROOT) else str(page)
        text = page.read_text()
        median, own = look(name, text)
        mark = " (aim: 18)" if median > MEDIAN_WORDS else ""
        print(f"{name}: {len(text.splitlines())} lines, median sentence {median:g} words{mark}, {len(own)} place(s) to look at")
        remarks += own
    for remark in remarks:
        print(remark)
    broken = check_tree.broken_references(*check_tree.tree_of(ROOT))
    for line in broken:
        print("error:", line)
    print(f"prose_mirror: {len(remarks)} place(s) to look at, {len(broken)} broken reference(s)")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
