# SPDX-License-Identifier: GPL-2.0-or-later
# Puts what --explain prints (first file, read by paragraphs) into the manual page (second file) at its line @FINDINGS@.
# A paragraph of one line is a heading, one at the margin explains what its first line names.
function text(from, i, line) {
	for (i = from; i <= NF; i++) {
		line = $i
		sub(/^ +/, "", line)
		gsub(/\\/, "\\e", line)
		gsub(/-/, "\\-", line)
		sub(/^Severity:/, ".br\n&", line)
		sub(/^['.][^b]/, "\\\\\\&&", line)
		body = body line "\n"
	}
}

FNR == NR && NF == 1 { body = body ".SH " $1 "\n"; headed = NR; next }
FNR == NR && /^ / { body = body (headed == NR - 1 ? "" : ".PP\n"); text(1); next }
FNR == NR { body = body ".TP\n.B " $1 "\n"; text(2); next }
/^@FINDINGS@$/ { printf "%s", body; next }
{ gsub(/@VERSION@/, version); gsub(/@DATE@/, date); print }
