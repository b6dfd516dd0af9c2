# SPDX-License-Identifier: GPL-2.0-or-later
# Turns the table of options (options.c) into completion for zsh.
BEGIN {
	FS = "\t"
	print "#compdef xfsck"
	print "# zsh completion for xfsck; made from its table of options"
	print "_xfsck_ids() {"
	print "\tlocal -a ids=(${(M)${(f)\"$(xfsck --explain=all 2>/dev/null)\"}:#[a-z0-9_]##.[a-z0-9_.]##})"
	print "\tcompadd \"$@\" -a ids"
	print "}"
	print "_xfsck_words_or_file() {"
	print "\tlocal -a words=(${=1})"
	print "\tcompadd -a words"
	print "\t_files"
	print "}"
	print ""
	print "setopt localoptions extendedglob"
	print "_arguments -s -S \\"
}

{
	words = $4
	action = $3 == "words" ? "(" words ")" : $3 == "list" ? "_sequence compadd - " words : \
		$3 == "words-file" ? "{_xfsck_words_or_file \"" words "\"}" : $3 == "file" ? "_files" : \
		$3 == "dir" ? "_files -/" : $3 == "ids" ? "_sequence _xfsck_ids" : " "
	long = $1 ~ /^--/
	# "=-": a value that may be left out follows only behind "="
	spelling = $1 ($2 == "no" ? "" : long ? ($2 == "may" ? "=-" : "=") : ($2 == "may" ? "-" : "+"))
	repeats = $1 ~ /^-[vco]$/ ? "*" : ""
	value = $2 == "no" ? "" : ($2 == "may" ? "::" : ":") "value:" action
	gsub(/'/, "'\\''", $5)
	print "\t'" repeats spelling "[" $5 "]" value "' \\"
}

END { print "\t'*:device or image:_files'" }
