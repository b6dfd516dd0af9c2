# SPDX-License-Identifier: GPL-2.0-or-later
# MOUNT TARGET MESSAGES: what differs between the folders is what the messages name
# For tests/suite/extract.
import ast, filecmp, os, re, sys
mount, out, err = sys.argv[1:]
named = {ast.literal_eval(m.group(1)) for m in re.finditer(r'^\w+: ("(?:[^"\\]|\\.)*"): ', open(err).read(), re.M)}
lacks = set()
for folder, dirs, files in os.walk(mount):
    for name in dirs + files:
        path = os.path.join(folder, name)
        there = out + path[len(mount):]
        same = os.path.isdir(there) if name in dirs else os.path.isfile(path) and not os.path.islink(path) and \
            os.path.isfile(there) and name in os.listdir(os.path.dirname(there)) and filecmp.cmp(path, there, False)
        if not same and name != "device":
            lacks.add(path[len(mount):])
print("not there:", sorted(lacks), "named:", sorted(named))
sys.exit(lacks != named or len(lacks) < 6)
