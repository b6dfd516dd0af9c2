# SPDX-License-Identifier: GPL-2.0-or-later
# Turns the table of options (options.c) into completion for fish.
BEGIN {
	FS = "\t"
	print "# fish completion for xfsck; made from its table of options"
	print "function __xfsck_ids"
	print "\txfsck --explain=all 2>/dev/null | string match -r '^[a-z0-9_]+(?:[.][a-z0-9_]+)+$'"
	print "end"
	print "# Completes the last word of a list with commas; what precedes it stays, but for the option, which fish adds."
	print "function __xfsck_list"
	print "\tset -l before (commandline -ct | string replace -r '^--[a-z-]+=' '' | string replace -r '[^,]*$' '')"
	print "\tprintf '%s\\n' \"$before\"$argv"
	print "end"
}

{
	spelling = $1 ~ /^--/ ? "-l " substr($1, 3) : "-s " substr($1, 2, 1)
	# -r: there must be a value; -f: it is no file
	value = $2 == "must" ? " -r" : ""
	if ($3 == "none" && $2 == "must" || $3 == "words" || $3 == "list" || $3 == "ids" || $3 == "dir")
		value = value " -f"
	if ($3 == "words" || $3 == "words-file")
		value = value " -a '" $4 "'"
	else if ($3 == "list")
		value = value " -a '(__xfsck_list " $4 ")'"
	else if ($3 == "dir")
		value = value " -a '(__fish_complete_directories)'"
	else if ($3 == "ids")
		value = value " -a '(__xfsck_list (__xfsck_ids))'"
	gsub(/'/, "\\'", $5)
	print "complete -c xfsck " spelling value " -d '" $5 "'"
}
