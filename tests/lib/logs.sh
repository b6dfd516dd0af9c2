# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Logs: what lies in them. Part of tests/lib.sh.

# le BYTES NUMBER...: prints the hexadecimal digits of each number in so many bytes, little-endian
le() {
	local number i
	for number in "${@:2}"; do
		for ((i = 0; i < $1; i++)); do printf '%02x' $((number >> 8 * i & 255)); done
	done
}

# put_log WORD...: adds records to the log of $IMG; tests/log/put.c explains the words
put_log() {
	"$OUT/tests/log/put" "$IMG" "$@"
}

# Adds a mount that changed nothing to the log of a clean file system, so that older records of the log are no evidence.
idle_mount() {
	put_log 20,aa:6e55000000000000
}

# base_image with a log that has no copies of what will be damaged
unlogged_image() {
	base_image "$@" && idle_mount
}

# log_item REGION...: adds a transaction of one item to the log of $IMG. Regions are in hexadecimal digits.
log_item() {
	put_log 01: "00:4e415254$(le 4 40 0x1001 $#)" "${@/#/00:}" 02:
}

# zeroes BYTES: prints the hexadecimal digits of so many zero bytes
zeroes() { printf '%0*d' $(($1 * 2)) 0; }

# Prints the hexadecimal digits of the beginnings of items of each type, and of the core of a logged inode.
buf_format() { # REGIONS FLAGS SECTORS SECTOR MAP_WORDS MAP...
	echo "$(le 2 0x123c "$1" "$2" "$3")$(le 8 "$4")$(le 4 "${@:5}")"
}
inode_format() { # REGIONS FIELDS ASIZE DSIZE INO SECTOR SECTORS OFFSET
	echo "$(le 2 0x123b "$1")$(le 4 "$2")$(le 2 "$3" "$4")$(zeroes 4)$(le 8 "$5")$(zeroes 16)$(le 8 "$6")$(le 4 "$7" "$8")"
}
inode_core() { # MAGIC VERSION INO [FORMAT]
	echo "$(le 2 "$1" 0100644)$(le 1 "$2" "${4:-2}")$(zeroes 146)$(le 8 "$3")$(zeroes 16)"
}
map_format() { # TYPE OWNER START LEN FLAGS: of a RUI or BUI with one extent
	echo "$(le 2 "$1" 1)$(le 4 1)$(le 8 1 "$2" "$3" 0)$(le 4 "$4" "$5")"
}
attri_format() { # REGIONS OP INO NAME_BYTES VALUE_BYTES FILTER
	echo "$(le 2 0x1246 "$1")$(le 4 0)$(le 8 1 "$3")$(le 4 "$2" "$4" "$5" "$6")"
}
