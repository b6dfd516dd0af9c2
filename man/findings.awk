# SPDX-License-Identifier: GPL-2.0-or-later
# Puts the table of findings (first file, tab-separated) into the manual page (second file) at its line @FINDINGS@.
BEGIN { FS = "\t" }

function roff(text) {
	gsub(/\\/, "\\\\e", text)
	gsub(/-/, "\\-", text)
	return text
}

# {got}, {want:x}, {index} stand for numbers, {one|many} for what goes with more than one.
function message(text) {
	text = roff(text)
	while (match(text, /{[^{}|]*\|[^{}|]*}/)) {
		many = substr(text, RSTART + 1, RLENGTH - 2)
		sub(/.*\|/, "", many)
		text = substr(text, 1, RSTART - 1) many substr(text, RSTART + RLENGTH)
	}
	gsub(/{[a-z:]*}/, "\\fIN\\fR", text)
	return text
}

FNR == NR {
	rows = rows ".TP\n.BR " roff($1) " \" (" tolower($2) ", " tolower($3) ")\"\n" message($4) "\n"
	next
}
/^@FINDINGS@$/ { printf "%s", rows; next }
{ gsub(/@VERSION@/, version); gsub(/@DATE@/, date); print }
