#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs what a page shows: shown.py PAGE SECTION PROGRAM FOLDER [show]

Each line "    $ xfsck ..." of a section ("" is all of the page) is run in the folder.  Each line below it is printed, in
this order; "..." stands for any lines, and nothing else is left out.  A damaged file system (status 1) is no failure.
With "show", what the commands print comes on standard error.
"""
import re
import shlex
import subprocess
import sys


def examples_of(page, section):
    with open(page) as file:
        text = file.read()
    if section:
        text = re.search(rf"^## {section}\n(.*?)(^## |\Z)", text, re.S | re.M)[1]
    examples, inside = [], False
    for line in text.split("\n"):
        if line.startswith("    $ xfsck "):
            examples.append((line[6:], []))
            inside = True
        elif line.startswith("    ") or not line:
            if inside:
                examples[-1][1].append(line[4:])
        else:
            inside = False
    for _, wanted in examples:
        while wanted and not wanted[-1]:
            wanted.pop()
    return examples


def first_difference(printed, wanted):
    at, skips = 0, False
    for line in wanted:
        if line == "...":
            skips = True
            continue
        while skips and at < len(printed) and printed[at] != line:
            at += 1
        if at == len(printed) or printed[at] != line:
            return f"prints {printed[at:at + 1]}, not {line!r}"
        at, skips = at + 1, False
    return f"the page lacks {printed[at]!r}" if at < len(printed) and not skips else None


def main():
    page, section, program, folder = sys.argv[1:5]
    examples = examples_of(page, section)
    for command, wanted in examples:
        run = subprocess.run([program] + shlex.split(command)[1:], cwd=folder, capture_output=True, text=True, timeout=120)
        if len(sys.argv) > 5:
            print(f"$ {command}\n{run.stdout}", file=sys.stderr)
        if run.returncode not in (0, 1):
            sys.exit(f"{command}: exit status {run.returncode}\n{run.stderr}")
        differs = first_difference(run.stdout.splitlines(), wanted)
        if differs:
            sys.exit(f"{command}: {differs}")
    sys.exit(0 if len(examples) >= 4 else "the page has too few commands")


main()
