# SPDX-License-Identifier: GPL-2.0-or-later
# Turns the table of options (options.c) into completion for bash. It needs nothing but bash; "=" in a word divides it
# there, unless the user has taken that from COMP_WORDBREAKS.
BEGIN { FS = "\t" }

{
	options = options " " $1 ($2 == "must" && $1 ~ /^--/ ? "=" : "")
	if ($2 == "no")
		next
	# a value that may be left out is one only behind "="
	pattern = ($2 == "may" ? "=" : "") $1
	does = $3 == "words" ? "words='" $4 "'" : $3 == "list" ? "list='" $4 "'" : $3 == "words-file" ? "words='" $4 "' files=f" : \
		$3 == "file" ? "files=f" : $3 == "dir" ? "files=d" : $3 == "ids" ? "list=$(_xfsck_ids)" : ":"
	cases = cases "\t" ($2 == "may" ? "=" $1 : $1 " | =" $1) ") " does " ;;\n"
}

END {
	print "# bash completion for xfsck; made from its table of options"
	print "_xfsck_ids() { \"${COMP_WORDS[0]}\" --explain=all 2>/dev/null | grep -xE '[a-z0-9_]+([.][a-z0-9_]+)+'; }"
	print ""
	print "_xfsck() {"
	print "\tlocal current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} before= words= list= files= line"
	print "\tcase $current in"
	print "\t--*=*) option==${current%%=*} before=${current%%=*}= current=${current#*=} ;;"
	print "\t=) option==$option current= ;;"
	print "\t*) [[ $option != = ]] || option==${COMP_WORDS[COMP_CWORD - 2]} ;;"
	print "\tesac"
	print "\tcase $option in"
	printf "%s", cases
	print "\t=*) ;;"
	print "\t*)"
	print "\t\tif [[ $current == -* ]]; then"
	print "\t\t\twords='" substr(options, 2) "'"
	print "\t\telse"
	print "\t\t\tfiles=f"
	print "\t\tfi"
	print "\t\t;;"
	print "\tesac"
	print "\tif [[ -n $list ]]; then"
	print "\t\t[[ $current != *,* ]] || before+=${current%,*}, current=${current##*,}"
	print "\t\twords=$list"
	print "\t\tcompopt -o nospace"
	print "\tfi"
	print "\tCOMPREPLY=()"
	print "\twhile IFS= read -r line; do COMPREPLY+=(\"$before$line\"); done < <("
	print "\t\t[[ -z $words ]] || compgen -W \"$words\" -- \"$current\""
	print "\t\t[[ -z $files ]] || compgen -$files -- \"$current\""
	print "\t)"
	print "\t[[ -z $files ]] || compopt -o filenames"
	print "\t[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace"
	print "}"
	print "complete -F _xfsck xfsck"
}
