# SPDX-License-Identifier: GPL-2.0-or-later
# Puts the table of findings (first file, tab-separated) into the manual page (second file) at its line @FINDINGS@.
BEGIN { FS = "\t" }

function roff(text) {
	gsub(/\\/, "\\\\e", text)
	gsub(/-/, "\\-", text)
	return text
}

# {got}, {want:x}, {index} stand for numbers.
function message(text) {
	text = roff(text)
	gsub(/{[a-z:]*}/, "\\fIN\\fR", text)
	return text
}

FNR == NR {
	rows = rows ".TP\n.BR " roff($1) " \" (" tolower($2) ", " tolower($3) ")\"\n" message($4) "\n"
	next
}
/^@FINDINGS@$/ { printf "%s", rows; next }
{ gsub(/@VERSION@/, version); print }
