# SPDX-License-Identifier: GPL-2.0-or-later
# MOUNT TARGET MESSAGES: what differs between the folders is what the messages name, and the target has nothing else
# For tests/suite/extract.
import ast, filecmp, os, re, sys
mount, out, err = sys.argv[1:]
named = {ast.literal_eval(m.group(1)) for m in re.finditer(r'^\w+: ("(?:[^"\\]|\\.)*"): ', open(err).read(), re.M)}


def paths(top):
    """All below a folder, by the names that their folders list, with whether it is a folder."""
    return {os.path.join(folder, name)[len(top) :]: name in dirs for folder, dirs, files in os.walk(top) for name in dirs + files}


was, has = paths(mount), paths(out)
lacks = set()
for path, is_dir in was.items():
    same = path in has and has[path] == is_dir
    if same and not is_dir:
        same = os.path.isfile(mount + path) and not os.path.islink(mount + path) and filecmp.cmp(mount + path, out + path, False)
    if not same and path != "/device":
        lacks.add(path)
print("not there:", sorted(lacks), "named:", sorted(named), "made:", sorted(has.keys() - was.keys()))
sys.exit(lacks != named or len(lacks) < 6 or bool(has.keys() - was.keys()))
