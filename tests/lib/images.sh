# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Images: made, read and changed. Part of tests/lib.sh.

# pristine IMAGE: unpacks an image of tests/data, once a run, and prints its path. Change only a copy: see base_image.
pristine() {
	local image=$SHARED/$1.img part=$WORK/$1.part
	if [ ! -e "$image" ]; then
		xz -dc "$top/tests/data/$1.img.xz" >"$part" && mv "$part" "$image" || return 1
	fi
	echo "$image"
}

# Makes $IMG a copy of an image of tests/data: aged (all of today's features) or aged-2022. Mount only the copy that
# $SOUND names, never the pristine one, which other suites check at the same time.
base_image() {
	local image mountable
	image=$(pristine "${1:-aged}") || return 1
	cp --sparse=always "$image" "$IMG"
	held_copied "$image"
	[ -n "${SOUND:-}" ] || return 0
	mountable=${image%.img}.mountable.img
	[ -e "$mountable" ] || { cp --sparse=always "$image" "$WORK/part" && mv "$WORK/part" "$mountable"; } || return 1
	rm -f "$SOUND" "$SOUND.rt"
	ln -s "$mountable" "$SOUND"
}

# Copies $IMG and its realtime device, which are sound so far, to $SOUND if that is set, to measure a repair by: see
# tests/suite/image. For images that are not those of tests/data.
sound_so_far() {
	[ -n "${SOUND:-}" ] || return 0
	rm -f "$SOUND" "$SOUND.rt"
	cp --sparse=always "$IMG" "$SOUND"
	[ ! -e "$IMG.rt" ] || cp --sparse=always "$IMG.rt" "$SOUND.rt"
}

# skip_test REASON: for the make of an image test, which can't be done on this machine
skip_test() {
	echo "$*" >"$WORK/skipped"
	exit 1
}

# db OBJECT COMMAND...: xfs_db in expert mode on $IMG, as in: db 'agf 1; addr bnoroot' 'write -d level 7' "write -d"
# stores any value and makes the checksum right. Old versions complain about unknown features, so standard error is
# shown only if xfs_db fails.
db() {
	local parts commands=() part
	command -v xfs_db >/dev/null || skip_test "no xfs_db"
	mapfile -t -d ';' parts < <(printf '%s;' "$@")
	for part in "${parts[@]}"; do commands+=(-c "$part"); done
	xfs_db -x "${commands[@]}" "$IMG" 2>"$WORK/db.err" || {
		cat "$WORK/db.err" >&2
		return 1
	}
}

# value OBJECT FIELD: prints a field's value, as in: value 'agf 1' freeblks
value() {
	db "$1" "print $2" | sed -n 's/^[^=]* = //p'
}

# set_field OBJECT FIELD VALUE: stores a wrong value in a field, with a right checksum. Fails if nothing changed.
set_field() {
	local before
	before=$(value "$1" "$2")
	db "$1" "write -d $2 $3" >/dev/null
	[ -n "$before" ] && [ "$(value "$1" "$2")" != "$before" ] || {
		echo "$1: $2 is still \"$before\""
		return 1
	}
}

# add OBJECT FIELD N: adds N to a field
add() {
	set_field "$1" "$2" $(($(value "$1" "$2") + $3))
}

# peek OFFSET BYTES: prints the big-endian number of 1, 2, 4 or 8 bytes at this offset of $IMG
peek() {
	od -A n -t "u$2" --endian=big -j "$1" -N "$2" "$IMG" | tr -d ' '
}

# poke OFFSET BYTES VALUE [START LENGTH CRC]: for what xfs_db can't address; see tests/tools/poke.c
poke() {
	"$OUT/tests/tools/poke" "$IMG" "$@" >/dev/null
}

# Prints the offsets of blocks of $IMG that begin with these magic numbers, in bytes.
blocks_with() { # PATTERN
	grep -obUaE "$1" "$IMG" | awk -F: -v size="$(peek 4 4)" '$1 % size == 0 { print $1 }'
}

zero() { # OFFSET BYTES
	dd if=/dev/zero of="$IMG" bs=64K seek="$1" count="$2" oflag=seek_bytes iflag=count_bytes conv=notrunc status=none
}
zero_sectors() { zero $(($1 * 512)) $(($2 * 512)); } # SECTOR SECTORS
zero_block() { zero $(($1 * 4096)) 4096; } # NUMBER: of 4 KiB

# poke for objects of the images of tests/data: 4 AGs of 4,096 blocks of 4 KiB, with 512-byte sectors and inodes. Each
# function takes OFFSET BYTES VALUE, the offset in the object, and corrects the checksum.
poke_sector() { # AG SECTOR CRC OFFSET BYTES VALUE
	local start=$((($1 << 24) + $2 * 512))
	poke $((start + $4)) "$5" "$6" $start 512 "$3"
}
poke_sb() { poke_sector "$1" 0 224 "${@:2}"; } # AG OFFSET BYTES VALUE
poke_agf() { poke_sector "$1" 1 216 "${@:2}"; }
poke_agi() { poke_sector "$1" 2 312 "${@:2}"; }
poke_agfl() { poke_sector "$1" 3 32 "${@:2}"; }
poke_inode() { # INO OFFSET BYTES VALUE
	local start=$(($1 * 512))
	poke $((start + $2)) "$3" "$4" $start 512 100
}
poke_block() { # FSBNO CRC OFFSET BYTES VALUE
	local start=$(($1 * 4096))
	poke $((start + $3)) "$4" "$5" $start 4096 "$2"
}

# old_header OFFSET LSN: writes, at this byte of $IMG, the header of an empty leaf of a bnobt of this file system
old_header() {
	poke "$1" 4 $((0x41423342)) && poke $(($1 + 4)) 4 0 && poke $(($1 + 8)) 8 -1 && poke $(($1 + 16)) 8 $(($1 / 512)) &&
		poke $(($1 + 24)) 8 "$2" && poke $(($1 + 32)) 8 "$(peek 32 8)" && poke $(($1 + 40)) 8 "$(peek 40 8)" "$1" 4096 52
}

# first_shared AG AGBNO BLOCKS: adds a first record to the refcount btree of an AG, whose root is a leaf, which says
# that these blocks are used twice
first_shared() {
	local root=$(($(value "agf $1" refcntroot))) records count
	root=$(($1 << 12 | root))
	count=$(peek $((root * 4096 + 6)) 2)
	records=$(od -A n -v -t x1 -j $((root * 4096 + 56)) -N $((count * 12)) "$IMG" | tr -d ' \n')
	printf "$(printf '%08x%08x%08x%s' "$2" "$3" 2 "$records" | sed 's/../\\x&/g')" |
		dd of="$IMG" bs=1 seek=$((root * 4096 + 56)) conv=notrunc status=none
	poke_block $root 52 6 2 $((count + 1))
}

exchange_areas() { # OFFSET OFFSET BYTES: of whole blocks of 4 KiB
	local from=("$1" "$2") i
	for i in 0 1; do
		dd if="$IMG" of="$WORK/area$i" bs=4096 skip=$((from[i] >> 12)) count=$(($3 >> 12)) status=none || return 1
	done
	for i in 0 1; do
		dd if="$WORK/area$((1 - i))" of="$IMG" bs=4096 seek=$((from[i] >> 12)) conv=notrunc status=none || return 1
	done
}
exchange_blocks() { exchange_areas $(($1 << 12)) $(($2 << 12)) 4096; } # FSBNO FSBNO

# raw_block FSBNO HEX...: writes hexadecimal digits at the start of a block
raw_block() {
	printf "$(printf '%s' "${@:2}" | sed 's/../\\x&/g')" | dd of="$IMG" bs=4096 seek="$1" conv=notrunc status=none
}

# fork_block FSBNO INO LEVEL HEX...: makes a bmbt block with a right header that counts 251 entries; HEX follows it
fork_block() {
	local uuid=$(od -A n -t x1 -j 32 -N 16 "$IMG" | tr -d ' \n')
	raw_block "$1" "$(printf '424d4133%04x00fb%032d%016x%016d%s%016x%016d' "$3" 0 $(($1 * 8)) 0 "$uuid" "$2" 0)" "${@:4}"
	poke_block "$1" 64 8 8 -1
	poke_block "$1" 64 16 8 -1
}

# repeat_block INO FSBNO LEVELS: the data fork of an inode maps the same block again and again: 251 times, or, with
# LEVELS 2, by two levels of bmbt blocks, 251 times that. The attribute fork begins after 192 bytes. Blocks 7596 and
# 7597, which are free, become the bmbt.
repeat_block() {
	local i start=$2 extents=() pointers=()
	for i in {0..250}; do
		extents+=("$(printf '%016x%016x' $((i << 9)) $((start << 21 | 1)))")
		pointers+=("$(printf '%016x' 7597)")
	done
	fork_block 7597 "$1" 0 "${extents[@]}"
	fork_block 7596 "$1" 1 "$(for i in {0..250}; do printf '%016x' $((i * 251)); done)" "${pointers[@]}"
	poke_inode "$1" 5 1 3
	poke_inode "$1" 64 8 0x100000
	if [ $(($(peek $(($1 * 512 + 127)) 1) & 16)) -ne 0 ]; then # the wider counter
		poke_inode "$1" 24 8 63001
	else
		poke_inode "$1" 76 4 63001
	fi
	poke_inode "$1" 176 4 $(($3 << 16 | 1))
	poke_inode "$1" 180 8 0
	poke_inode "$1" $((180 + 11 * 8)) 8 $(($3 == 2 ? 7596 : 7597))
}

# repeat_entries INO FTYPE: the directory /shortform maps one block 251 times; the block has 252 entries, all of the same
# name, that lead to this inode and say it has this file type
repeat_entries() {
	local i entries=() uuid=$(od -A n -t x1 -j 32 -N 16 "$IMG" | tr -d ' \n')
	for i in {0..251}; do entries+=("$(printf '%016x03616161%02x00%04x' "$1" "$2" $((64 + 16 * i)))"); done
	repeat_block 131 7696 1
	raw_block 7696 "$(printf '58444433%08d%016x%016d%s%016x%032d' 0 $((7696 * 8)) 0 "$uuid" 131 0)" "${entries[@]}"
	poke_block 7696 4 48 2 0
	poke_inode 131 56 8 $((251 * 4096))
}

# use_free_inode LINKS: makes inode 154, which is free in the images of tests/data, an empty file with this link count
# and without a name; inode btrees and counters agree with that
use_free_inode() {
	local root
	held_changed "$IMG"
	for root in root free_root; do
		db "agi 0; addr $root" 'write -d recs[1].free 0x27b407ac18000000' 'write -d recs[1].freecount 17' >/dev/null
	done
	add 'agi 0' freecount -1
	add 'sb 0' ifree -1
	poke_inode 154 2 2 0100644
	poke_inode 154 16 4 "$1"
}

# Copies the log of another image into an image, so that the rest of both can be compared.
same_log() { # IMAGE OTHER
	local IMG=$1 start length
	start=$(peek 48 8)
	start=$((((start >> $(peek 124 1)) * $(peek 84 4) + (start & ((1 << $(peek 124 1)) - 1))) * $(peek 4 4)))
	length=$(($(peek 96 4) * $(peek 4 4)))
	dd if="$2" of="$1" bs=1M iflag=skip_bytes,count_bytes oflag=seek_bytes conv=notrunc status=none \
		skip=$start seek=$start count=$length
}
