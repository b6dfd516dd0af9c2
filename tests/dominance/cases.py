# SPDX-License-Identifier: GPL-2.0-or-later
"""A case is a kind of damage (kinds.py), a base (bases.py) and a seed. What compare.py and afterlife.py share: which
cases they are asked for, and the damaged image of one."""
import argparse
import fnmatch
import os
import random
import re
import signal
import sys
import tempfile

import bases
import kinds
import programs
from judge import Judge


def damaged(kind, base, seed, made, path, mounts, tools):
    """Make the damaged image of a case; returns what the file system should hold."""
    rng = random.Random("%s/%s/%s" % (kind, base.name, seed))
    bases.copy(base.image, path)
    others = [other.image for other in made if other is not base and not other.elsewhere]
    return kinds.damage(kind, kinds.Target(base, others, path, rng, mounts, tools))


def names(args, made):
    """The cases that are asked for: kind, base, seed. Kinds for which this machine's kernel uses the file system are not made
    of bases that it does not mount."""
    pairs = [(kind, base) for kind in args.kinds for base in made if not (base.elsewhere and kind in kinds.IN_USE)]
    left_out = len(args.kinds) * len(made) - len(pairs)
    if left_out:
        print("left out: %d kinds and bases in which this kernel would have to use what it may not mount" % left_out)
    return [(kind, base, seed) for seed in args.seeds for kind, base in pairs]


def keep(folder, name, image, flags, output):
    """Keep the damaged image and the report of a case."""
    os.makedirs(folder, exist_ok=True)
    bases.copy(image, os.path.join(folder, name + ".img"))
    with open(os.path.join(folder, name + ".report"), "w") as file:
        file.write("".join(flag + "\n" for flag in flags) + "\n" + output)


def checkers(args):
    """The checker that is tested, and xfs_repair, which has ten times as long."""
    judge = os.environ.get("XFS_REPAIR", "xfs_repair")
    return programs.Program(args.tool, args.seconds), programs.Program(judge + " -f {img}", 10 * args.seconds)


def repair_as_peer(program, image):
    """Repair by xfs_repair, which may need two runs."""
    program.repair(image)
    if not program.clean(image):
        program.run(image)


# ---- options ----


def numbers(text):
    """3 or 1-4"""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not match:
        raise argparse.ArgumentTypeError("%s is no range of numbers, such as 1-3" % text)
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def chosen(table):
    """A type of option: names of a table, and patterns of names, with commas or spaces between"""

    def choose(text):
        result = []
        for pattern in text.replace(",", " ").split():
            found = fnmatch.filter(table, pattern)
            if not found:
                raise argparse.ArgumentTypeError("%s is none of: %s" % (pattern, " ".join(table)))
            result += [name for name in found if name not in result]
        return result or list(table)

    return choose


def parser(text, table):
    result = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("home", help="folder for the bases, which stay for the next time")
    result.add_argument("tools", help="folder of the tool 'manifest'")
    result.add_argument("--tool", required=True, help="the checker, as in 'xfsck --json={json} {img}'")
    result.add_argument("--seeds", type=numbers, default="1")
    result.add_argument("--kinds", type=chosen(kinds.KINDS), default="*")
    result.add_argument("--bases", type=chosen(table), default="*")
    result.add_argument("--entries", type=int, default=6000, help="about so many are made in a base")
    result.add_argument("--seconds", type=int, default=300, help="time for one run of the checker")
    result.add_argument("--keep", help="folder for the damaged images and reports of flagged cases")
    result.add_argument("--work", help="folder for images that are in use, instead of one in home")
    return result


def make_bases(args, mounts, judge):
    made = []
    for name in args.bases:
        try:
            made.append(bases.make_base(name, args.home, args.entries, args.tools, mounts, judge))
        except bases.Unavailable as reason:
            print("base %s is left out: %s" % (name, reason), flush=True)
    return made


def main(args, judge_all):
    """Make the bases, and have all cases judged; returns the exit status."""
    # so that what is mounted is unmounted
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit("stopped"))
    os.makedirs(args.home, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.work or args.home) as work:
        mounts = programs.Mounts(os.path.join(work, "mnt"))
        judge = Judge(os.environ["JUDGE"], args.tools, work) if os.environ.get("JUDGE") else None
        made = make_bases(args, mounts, judge)
        if not made:
            sys.exit("no base can be made here")
        return 1 if judge_all(args, made, work, mounts, judge) else 0
