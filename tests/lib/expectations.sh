# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Expectations of image tests: see tests/suite/image. Part of tests/lib.sh.

# Prints $WORK/report without the paths after inode numbers.
without_paths() {
	local name='"([^"\\]|\\.)*"'
	sed -E "s/(inode [0-9]+) ($name|\\(metadata\\) $name|\\(was $name\\)|\\([a-z]+ (path|quota|bitmap|summary)\\))/\\1/g" "$WORK/report"
}

# compare FILE: compares the report in $WORK/report with a file of expectations; prints differences, and fails if any
compare() {
	without_paths >"$WORK/report.bare"
	awk -v bare="$WORK/report.bare" '
		# Whether the parts of an expectation occur in the line in their order; the first begins it, and ends with a word.
		function fits(line, expected,    parts, n, i, at) {
			n = split(expected, parts, / \.\.\. /)
			if (index(line, parts[1]) != 1 || substr(line, length(parts[1]) + 1) ~ /^[a-z0-9_]/)
				return 0
			for (i = 2; i <= n; i++) {
				at = index(line, parts[i])
				if (!at)
					return 0
				line = substr(line, at + length(parts[i]))
			}
			return 1
		}
		FNR == NR && /^(#|$)/ { next }
		FNR == NR && $0 == "..." { others = 1; next }
		FNR == NR { missing[$0] = 1; next }
		{ getline without <bare }
		match($0, /^[a-z0-9_]+\.[a-z0-9_.]+: /) {
			known = others
			for (e in missing) {
				if (fits($0, e) || fits(without, e)) {
					missing[e] = 0
					known = 1
				}
			}
			if (!known) {
				print "reported too: " $0
				amiss = 1
			}
		}
		END {
			for (e in missing) {
				if (missing[e]) {
					print "not reported: " e
					amiss = 1
				}
			}
			exit amiss
		}' "$1" "$WORK/report"
}
