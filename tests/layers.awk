# SPDX-License-Identifier: GPL-2.0-or-later
# Names what leads from a lower layer to a higher one. Input: tests/layers; then lines "include FROM TO" of paths, and of
# functions "calls FROM NAME" and "owner PATH NAME". Exit status 1: something does, or a file has no layer.
function layer(path, at, best, i) {
	if (path in known)
		return known[path]
	best = 0
	for (i = 1; i <= patterns; i++)
		if (index(path, pattern[i]) == 1 && (!best || length(pattern[i]) > length(pattern[best])))
			best = i
	if (!best) {
		print path " is in no layer of tests/layers"
		bad = 1
	}
	return known[path] = best ? rank[best] : 0
}
function compare(from, to, what) {
	if (layer(to) <= layer(from))
		return
	print from " (" name[layer(from)] ") " what " " to " (" name[layer(to)] ")"
	bad = 1
}
FILENAME ~ /tests\/layers$/ {
	if (/^#/ || !NF)
		next
	if ($1 != name[layers])
		name[++layers] = $1
	for (i = 2; i <= NF; i++) {
		pattern[++patterns] = $i
		rank[patterns] = layers
	}
	next
}
$1 == "include" { compare($2, $3, "includes") }
$1 == "owner" { owner[$3] = $2 }
$1 == "calls" { calls[$2, $3] }
END {
	for (call in calls) {
		split(call, c, SUBSEP)
		if (c[2] in owner)
			compare(c[1], owner[c[2]], "calls " c[2] "() of")
	}
	exit bad
}
