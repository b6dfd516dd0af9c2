# SPDX-License-Identifier: GPL-2.0-or-later
# JSON: the lines of JSON about bad places, in the form of the text's
# For tests/suite/bad_places.
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
def same(ours, theirs):
    assert ours == theirs, f"{ours}, not {theirs}"
bad = [line for line in lines if line["type"] == "bad"]
same([(one["path"], one["offset"], one["bytes"], one["untried"], one["unwritten"]) for one in bad if one["what"] == "data"],
     [("/one", 0, 2048, False, False), ("/one", 2048, 4096, True, False), ("/reserved", 1024, 512, False, True)])
same([(one["object"], one["agno"], one["agbno"], one["bytes"]) for one in bad if "object" in one], [("AGF", 1, 0, 512)])
[sums] = [line for line in lines if line["type"] == "bad_sums"]
same((sums["taken_for"], sums["files"], sums["dropped"]), ("a ddrescue mapfile", 1, 0))
same([sums["bad"][key] for key in ("ranges", "lost", "unwritten", "metadata", "behind")], [4, 2048, 512, 512, 1048576])
same([sums["untried"][key] for key in ("ranges", "bytes", "lost", "metadata")], [1, 4096, 4096, 0])
