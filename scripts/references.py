"""References that can be followed: links of Markdown pages, and citations of pages in code.

A page is cited in code, a message or a comment by its path from the top, with the heading where there is one: the name of
the page under docs/, then `#` and the heading as GitHub makes an anchor of it. Pages link to each other by relative paths.
"""

import posixpath
import re
import urllib.parse

# A page's path from the top. Not part of a URL, nor of another project's path (word characters before the slash).
CITATION = re.compile(r"(?<![\w-])(?<!\w/)docs/(?:[\w-]+/)*[\w-]+(?:\.[\w-]+)*\.md(?:#[\w-]+)?")
DESTINATION = r"<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?"
INLINE_LINK = re.compile(r"\]\(\s*" + DESTINATION + r"(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
DEFINITION = re.compile(r"^ {0,3}\[([^\]^][^\]]*)\]:\s*" + DESTINATION)
LABEL_LINK = re.compile(r"\]\[([^\]\n]+)\]")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
OWN_ANCHOR = re.compile(r"<\w+[^>]*\b(?:id|name)=[\"']([^\"']+)[\"']")
# Citations of notes that were never part of the project, so a reader cannot find them. Built from pieces, because this file is searched,
# too.
NOTES = re.compile("|".join([
    r"\bgo-fam" + r"ily\b", r"\bfuzz-integ" + r"ration\b", r"\b(?:DES" + r"IGN|RUN" + r"TIME)(?:\.md|,? \d)", r"\b[Ss]e" + r"ed 00\d\b",
    r"(?<![\w/])sp" + r"ec/", r"\banch" + r"ors\.md",
]))
# A page's name alone. On a page, that is a link to its neighbour.
BARE_NAME = re.compile(r"(?<![\w/.-])(?:strategies|weak-memory(?:-study)?|gopie|gfuzz|flow|engines|runtime-laws|happens-before|mutation|architecture)\.md\b")
SOURCE_PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]+\.(?:h|hpp|c|cc|cpp|S|fbs|py|sh|cmake|in)")


def is_page(name):
    return name.endswith(".md")


def blanked(text):
    """The same length and lines, and nothing else."""
    return re.sub(r"[^\n]", " ", text)


def without_fences(text):
    """A page's text, its fenced blocks empty. Lines keep their numbers."""
    lines, fence = [], None
    for line in text.split("\n"):
        found = FENCE.match(line)
        if fence is None and found and not ("`" in found[1] and "`" in line[found.end():]):
            fence = found[1]
            line = ""
        elif fence is not None:
            if found and found[1].startswith(fence) and not line[found.end():].strip():
                fence = None
            line = ""
        lines.append(line)
    return "\n".join(lines)


def without_code(text):
    """A page's text, its fenced blocks and code spans empty. Lines keep their numbers."""
    paragraphs = re.split(r"(\n[ \t]*\n)", without_fences(text))
    return "".join(CODE_SPAN.sub(lambda span: blanked(span[0]), paragraph) for paragraph in paragraphs)


def anchor(heading):
    """The anchor that GitHub gives to a heading."""
    words = re.sub(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", heading)
    words = re.sub(r"<[^>]*>", "", words)
    words = re.sub(r"(?<!\w)(_{1,2})(?=\S)(.+?)(?<=\S)\1(?!\w)", r"\2", words)
    return re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")


def headings(text):
    """(line, text) of each heading of a page."""
    before = ""
    for number, line in enumerate(without_fences(text).split("\n"), 1):
        found = HEADING.match(line)
        if found:
            yield number, found[2] or ""
            line = ""
        elif UNDERLINE.match(line) and before.strip() and not re.match(r"\s*(?:[-*+>|]|\d+[.)])", before):
            yield number - 1, before.strip()
            line = ""
        before = line


def anchors(text):
    """All anchors of a page."""
    found, times = set(), {}
    for _, heading in headings(text):
        name = anchor(heading)
        count = times.get(name, 0)
        times[name] = count + 1
        found.add(f"{name}-{count}" if count else name)
    return found | set(OWN_ANCHOR.findall(without_code(text)))


def links(text):
    """(line, destination) of each link of a page; of a link by a label without definition, (line, None)."""
    lines = without_code(text).split("\n")
    labels = {found[1].lower() for found in map(DEFINITION.match, lines) if found}
    for number, line in enumerate(lines, 1):
        definition = DEFINITION.match(line)
        if definition:
            yield number, definition[2]
            continue
        for found in INLINE_LINK.finditer(line):
            yield number, found[1]
        for found in LABEL_LINK.finditer(line):
            if found[1].lower() not in labels:
                yield number, None


class Tree:
    """Names of all files, the texts of those that are text, and what can be cited in them."""

    def __init__(self, names, texts):
        self.texts = texts
        self.names = set(names)
        self.directories = {"."}
        self.ends = set()  # paths without their first directories
        for name in self.names:
            pieces = name.split("/")
            self.directories.update("/".join(pieces[:i]) for i in range(1, len(pieces)))
            self.ends.update("/".join(pieces[i:]) for i in range(len(pieces)))
        self.known_anchors = {}

    def lacks(self, path, heading):
        """What is not there of a page and a heading in it, or None."""
        if path not in self.names:
            return None if path in self.directories and not heading else f"no file {path}"
        if not heading or not is_page(path):
            return None
        if path not in self.known_anchors:
            self.known_anchors[path] = anchors(self.texts.get(path, ""))
        return None if heading in self.known_anchors[path] else f"no heading #{heading} in {path}"

    def lacks_link(self, page, destination):
        if SCHEME.match(destination) or destination.startswith("//"):
            return None
        path, _, heading = urllib.parse.unquote(destination).partition("#")
        base = "." if path.startswith("/") else posixpath.dirname(page)
        path = posixpath.normpath(posixpath.join(base, path.lstrip("/"))) if path else page
        return "leaves the tree" if path.startswith("..") else self.lacks(path, heading)


def broken_in_page(tree, name, text):
    for number, destination in links(text):
        lack = "a label without definition" if destination is None else tree.lacks_link(name, destination)
        if lack:
            yield number, lack
    if not name.startswith("docs/design/"):
        return
    for span in CODE_SPAN.finditer(without_fences(text)):  # places in the code that a page names
        if SOURCE_PATH.fullmatch(span[2]) and span[2] not in tree.ends:
            yield text.count("\n", 0, span.start()) + 1, f"no file {span[2]}"


def broken(names, texts):
    """What cannot be followed, as "name:line: what". `names`: all files; `texts`: name -> text of those to look through."""
    tree = Tree(names, texts)
    found = []
    for name, text in texts.items():
        if is_page(name):
            found += [(name, *lack) for lack in broken_in_page(tree, name, text)]
        for number, line in enumerate(text.split("\n"), 1):
            note = NOTES.search(line) or (None if is_page(name) else BARE_NAME.search(line))
            if note:
                found.append((name, number, f"'{note[0]}' is no path of a page here"))
            for cited in CITATION.finditer(line):
                if "://" in re.search(r"\S*$", line[:cited.start()])[0]:
                    continue  # another project's page
                path, _, heading = cited[0].partition("#")
                lack = tree.lacks(path, heading)
                if lack:
                    found.append((name, number, lack))
    return [f"{name}:{number}: {lack}" for name, number, lack in sorted(set(found))]
