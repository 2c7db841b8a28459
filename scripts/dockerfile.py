"""Reads a Dockerfile: its instructions, their words, and the commands of a RUN."""
import json
import re
import shlex
import typing


class Instruction(typing.NamedTuple):
    line: int
    keyword: str
    text: str
    # What a here-document says, under the name that follows its <<.
    documents: dict


def _document(lines, number, marker):
    """The here-document that ends with a line of `marker`, and the line behind it."""
    body = []
    while number < len(lines) and lines[number].lstrip("\t") != marker:
        body.append(lines[number])
        number += 1
    return "".join(line + "\n" for line in body), number + 1


def instructions(text):
    lines, number = text.splitlines(), 0
    while number < len(lines):
        first, joined, goes_on = number, "", True
        while goes_on and number < len(lines):
            line = lines[number].strip()
            number += 1
            # Also between the lines of one instruction.
            if line.startswith("#") or not line:
                goes_on = bool(joined)
                continue
            goes_on = line.endswith("\\")
            joined += line[:-1] + " " if goes_on else line
        if not joined.strip():
            continue
        keyword, _, rest = joined.strip().partition(" ")
        keyword, documents = keyword.upper(), {}
        if keyword in ("RUN", "COPY", "ADD"):
            for marker in re.findall(r"<<-?[\"']?(\w+)", rest):
                documents[marker], number = _document(lines, number, marker)
        yield Instruction(first + 1, keyword, rest.strip(), documents)


def expand(text, variables):
    """$NAME, ${NAME}, ${NAME:-value without it}, ${NAME:+value with it}, as Docker has them."""
    def value(match):
        name, operator, other = match[1] or match[2], match[3], match[4]
        known = variables.get(name, "")
        return match[0][1:] if match[0][0] == "\\" else known or other if operator == "-" else known and other if operator == "+" else known
    return re.sub(r"\\\$|\$(?:(\w+)|\{(\w+)(?::([-+])([^}]*))?\})", value, text)


def flags_and_words(text):
    """Of a COPY or ADD: its --flags, and its words in either form."""
    flags = {}
    while match := re.match(r"--([a-z-]+)(?:=(\S+))?\s+", text):
        flags[match[1]] = match[2] or ""
        text = text[match.end():]
    try:
        return flags, json.loads(text) if text.startswith("[") else shlex.split(text)
    except json.JSONDecodeError:  # a pattern
        return flags, shlex.split(text)


def assignments(text):
    """Of an ENV or ARG: NAME=VALUE for each, or one NAME with the rest of the line."""
    name, _, rest = text.partition(" ")
    if "=" not in name:
        return {name: rest.strip()}
    return dict(word.partition("=")[::2] for word in shlex.split(text))


class Command(typing.NamedTuple):
    words: list
    # "(" and ")" open and close a subshell. Otherwise empty.
    bracket: str = ""
    # Its input or output is not the terminal.
    piped: bool = False


def commands(text):
    """The simple commands of a RUN, in their order. Raises ValueError for what is not made of simple commands."""
    if text.startswith("["):
        yield Command(json.loads(text))  # an error of JSON's is a ValueError
        return
    words, piped = [], False
    for line in text.splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
        lexer.whitespace_split, lexer.commenters = True, ""
        for token in [*lexer, ";"]:
            if token in ("&&", "||", ";", "&", "(", ")", "|"):
                piped = piped or token == "|"
                if words:
                    yield Command(words, piped=piped)
                words, piped = [], token == "|"
                if token in ("(", ")"):
                    yield Command([], bracket=token)
            elif token and all(character in "<>&" for character in token):
                piped = True
            elif not words and token in ("for", "while", "until", "if", "case", "{", "function"):
                raise ValueError(token)
            else:
                words.append(token)


def without_options(words, with_value):
    """The arguments of a command that are no options; those `with_value` take the next word."""
    plain, skip = [], False
    for word in words:
        if not skip and not word.startswith("-"):
            plain.append(word)
        skip = word in with_value
    return plain
