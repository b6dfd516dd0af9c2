# SPDX-License-Identifier: GPL-2.0-or-later
# PAGE JSON: the page shows the answers of the JSON of the same run
# For tests/suite/html.
import json, re, sys, xml.etree.ElementTree as tree
page = open(sys.argv[1], encoding="utf-8").read()
lines = [json.loads(line) for line in open(sys.argv[2])]
sections = {m[1]: tree.fromstring(m[0]) for m in re.finditer(r'<section id="([a-z-]+)".*?</section>', page, re.S)
            if m[1] in ("summary", "fragments", "free-space")}
wrong = []
def same(what, got, want):
    if got != want:
        wrong.append(f"{what}: {got}, not {want}")

# directories lie in the one that they are in, beside each other, and are as large as they should be
cells, path = [], []
for svg in sections["summary"].iter("svg"):
    if "data-used" not in svg.attrib:
        continue
    x, y, w, h = (float(svg.get(at).rstrip("%")) for at in ("x", "y", "width", "height"))
    cells.append((x, y, x + w, y + h, svg.get("class").split()[0], int(svg.get("data-used")), svg.find("title").text))
used = {line["path"]: line["used"] for line in lines if line.get("by") == "directory"}
unquoted = lambda text: text.replace('\\"', '"')
told = {unquoted(c[6].rsplit(": ", 1)[0]): c[5] for c in cells if c[4] != "rest"}
same("directories", told, used)
over = lambda a, b: min(a[2], b[2]) - max(a[0], b[0]) > 0.01 and min(a[3], b[3]) - max(a[1], b[1]) > 0.01
within = lambda a, b: a[0] >= b[0] - .01 and a[1] >= b[1] - .01 and a[2] <= b[2] + .01 and a[3] <= b[3] + .01
above = {}
for i, cell in enumerate(cells):
    holders = [k for k in range(i) if over(cells[k], cell)]
    for k in holders:
        if not within(cell, cells[k]):
            wrong.append(f"{cell} is across {cells[k]}")
    if not within(cell, (0, 0, 100, 100)):
        wrong.append(f"{cell} is outside")
    if holders:
        above.setdefault(holders[-1], []).append(cell)
for at, inside in above.items():
    same(f"sum in {cells[at][6]}", sum(cell[5] for cell in inside), cells[at][5])
    area = lambda c: (c[2] - c[0]) * (c[3] - c[1])
    all_area = sum(map(area, inside))
    for cell in inside:
        if abs(area(cell) / all_area - cell[5] / cells[at][5]) > 0.005:
            wrong.append(f"{cell} is not as large as it should be")
same("roots", len(cells) - sum(map(len, above.values())), 1)

# tables: all numbers of a column, and its bars
def column(section, heading, name):
    for table in sections[section].iter("table"):
        heads = ["".join(th.itertext()) for th in table.find("thead").iter("th")]
        if heads[0] == heading:
            at = heads.index(name)
            rows = [list(tr) for tr in table.find("tbody").iter("tr")]
            numbers = [row[at].text for row in rows]
            bars = [float(row[at + 1].find("svg/rect").get("width")) for row in rows if row[at + 1].find("svg") is not None]
            return numbers, bars
    wrong.append(f"no table {heading}")
    return [], []
def counted(section, heading, name, want):
    numbers, bars = column(section, heading, name)
    same(heading, [int(n.replace(",", "")) for n in numbers], want)
    same(heading + ", bars", bars, [float("%.1f" % (n * 100 / max(want))) for n in want])
contents = next(line for line in lines if line["type"] == "contents")
frag = next(line for line in lines if line["type"] == "frag")
free = [line for line in lines if line["type"] == "free_space"]
counted("summary", "Size of a regular file", "files", [c["files"] for c in contents["by_size"]])
counted("summary", "Modified before now", "files", [c["files"] for c in contents["by_age"]])
counted("fragments", "Extents of a file", "files", [c["files"] for c in frag["files_by_extents"]])
counted("free-space", "Blocks of an extent", "blocks", [c["blocks"] for c in free[0]["sizes"]])
counted("free-space", "Group", "free blocks", [line["blocks"] for line in free[1:]])
same("users", column("summary", "User", "files")[0], ["%d" % line["files"] for line in sorted(
    (line for line in lines if line.get("by") == "user"), key=lambda line: -line["used"])])
sys.exit("\n".join(wrong[:20]) or 0)
