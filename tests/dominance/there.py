#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs in the kernel of a judge (judge.py), where $M is mounted from $D, and prints an answer of one line:

there.py age NAME AGE ENTRIES   the file system becomes one age older (bases.py)
there.py use SEED STEPS         it is used (use.py)
there.py look                   what can be seen of it, and the error if it can't be used"""
import json
import os
import random
import shutil
import sys

sys.dont_write_bytecode = True
import bases
import content
import use


def tools():
    return os.path.dirname(shutil.which("manifest"))


def age(name, number, entries):
    bases.age_once(os.environ["M"], int(number), int(entries), random.Random("%s/%s" % (name, number)))
    return {}


def used(seed, steps):
    return use.states(os.environ["M"], use.Marks(os.environ["D"]), tools(), seed, int(steps))


def look():
    manifest = content.manifest(os.environ["M"], tools())
    return {"manifest": manifest, "error": use.failure(os.environ["M"])}


print(json.dumps({"there": {"age": age, "use": used, "look": look}[sys.argv[1]](*sys.argv[2:])}))
