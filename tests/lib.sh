# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that the test scripts share; bash. tests/run sets OUT (the build's folder), WORK (a scratch folder that it
# removes) and SHARED (a folder of files that all scripts use); XFSCK is the program under test.

set -uo pipefail
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
top=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
SHARED=${SHARED:-$WORK}
QUICK=${QUICK:-} # not empty: the suite has a few seconds
PATIENCE=${PATIENCE:-1} # how many times as long as usual anything may take
OUT=$(realpath "${OUT:?}")
XFSCK=${XFSCK:-$OUT/xfsck}

# From here on, XFSCK runs that program with the defaults of tests; see tests/tools/tested.c.
tested=$WORK/tested/xfsck
if [ "$XFSCK" != "$tested" ]; then
	export TESTED=$(realpath "$XFSCK")
	mkdir -p "${tested%/*}" && ln -sf "$OUT/tests/tools/tested" "$tested"
	XFSCK=$tested
	# The same as a person calls it, who has no tests; but emulators have no sandbox.
	export PLAIN=$TESTED
	[ -z "${TESTED_EMULATED:-}" ] || {
		PLAIN=$WORK/plain/xfsck
		mkdir -p "${PLAIN%/*}"
		printf '#!/bin/bash\nexec -a "$0" "%s" --no-sandbox "$@"\n' "$TESTED" >"$PLAIN" && chmod +x "$PLAIN"
	}
fi

# ---- results: one line a test, which tests/run counts ----

ok() { echo "ok $1"; }
not_ok() { echo "not ok $1: ${*:2}"; }
skip() { echo "skip $1: ${*:2}"; }

# skip_suite REASON: none of the tests of a suite can be done on this machine
skip_suite() {
	skip "all of it" "$*"
	exit 0
}

# expect_ok NAME COMMAND...: the test passes if the command succeeds; otherwise the command's output is shown
expect_ok() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		ok "$name"
	else
		not_ok "$name" "$* says:"
		echo "$output"
	fi
}

# Prints the findings in a report on standard input; fails if there are none.
findings() { grep -E '^[a-z0-9_]+\.[a-z0-9_.]+: '; }

# Runs a command with a limit in seconds of processor time, times PATIENCE. On a busy machine that can take many times
# as long by the clock, so a limit by the clock, ten times longer, only ends commands that wait forever.
timeout() { # [-k SECONDS] SECONDS COMMAND...
	local options=()
	[ "$1" != -k ] || { options=(-k "$2"); shift 2; }
	(
		ulimit -S -t $(($1 * PATIENCE))
		command timeout "${options[@]}" $((10 * $1 * PATIENCE)) "${@:2}"
	)
}

# wait_until COMMAND...: waits until the command succeeds; fails if it never does
wait_until() {
	local i
	for ((i = 0; i < 2400 * PATIENCE; i++)); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.05
	done
	echo "in vain: $*"
	return 1
}

# cmp(1), which does not read the holes when it compares two whole files
cmp() {
	if [ $# -eq 2 ] && [ -f "$1" ] && [ -f "$2" ]; then
		"$OUT/tests/tools/same" "$1" "$2"
	else
		command cmp "$@"
	fi
}

# ---- expectations of image tests: see tests/suite/image ----

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

# ---- images ----

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
	[ -z "${HELD:-}" ] || "$HELD" copied "$image"
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
	[ -z "${HELD:-}" ] || "$HELD" changed "$IMG"
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

# ---- logs ----

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

# ---- quotas ----

quota_uuid=0a1b2c3d-4e5f-4a6b-8c7d-9e8f7a6b5c4d

# Prints a prototype file for mkfs.xfs -p: a file of 3 blocks of user 40 and group 41, and a quota file of each type
# with records of the final usage. The root and the two realtime inodes are charged to id 0.
quota_files() { # BLOCKSIZE UUID OTHER_TYPES
	local src=$WORK/quota.src
	mkdir -p "$src"
	head -c $((3 * $1)) /dev/zero >"$src/data"
	"$OUT/tests/tools/dquots" "$1" "$2" 1 0 0 3 40 3 1 >"$src/user"
	"$OUT/tests/tools/dquots" "$1" "$2" 4 0 0 3 41 3 1 >"$src/group"
	"$OUT/tests/tools/dquots" "$1" "$2" 2 0 0 3 77 3 1 >"$src/project"
	printf '%s\n' / '0 0' 'd--755 0 0' "data ---644 40 41 $src/data" "user ---000 0 0 $src/user"
	for type in $3; do echo "$type ---000 0 0 $src/$type"; done
	echo '$'
}

# quota_image [MKFS_OPTION...]: makes $IMG a small file system with quotas, all counted as the kernel does. After the
# root and the realtime inodes come $data, of project 77, and the quota files $user, $group and $project.
quota_image() {
	command -v mkfs.xfs >/dev/null || skip_test "no mkfs.xfs"
	quota_files 4096 $quota_uuid 'group project' >"$WORK/proto"
	rm -f "$IMG"
	truncate -s 512m "$IMG"
	# without parent pointers, if mkfs.xfs knows these: quota files have no parents
	mkfs.xfs -q -f -m uuid=$quota_uuid -i size=512 -n parent=0 "$@" -p "$WORK/proto" "$IMG" >/dev/null 2>&1 ||
		mkfs.xfs -q -f -m uuid=$quota_uuid -i size=512 "$@" -p "$WORK/proto" "$IMG" >"$WORK/mkfs.out" 2>&1 ||
		skip_test "mkfs.xfs refuses: $(head -n 1 "$WORK/mkfs.out")"
	local root=$(peek 56 8) ino
	data=$((root + 3)) user=$((root + 4)) group=$((root + 5)) project=$((root + 6))
	poke_inode $data 20 2 77
	for ino in $user $group $project; do poke_inode $ino 56 8 0; done
	# the root keeps its first entry
	poke_inode "$root" 176 1 1
	poke_inode "$root" 56 8 18
	poke_sb 0 100 2 $(($(peek 100 2) | 0x40))
	poke_sb 0 160 8 $user
	poke_sb 0 168 8 $group
	poke_sb 0 232 8 $project
	poke_sb 0 176 2 0x7cf
	sound_so_far
}

# poke_dquot INO ID OFFSET BYTES VALUE: changes a field of an id's record in a quota file of quota_image, whose blocks
# are consecutive
poke_dquot() {
	local start=$(($(quota_block "$1") + $2 / 30 * 4096 + $2 % 30 * 136))
	poke $((start + $3)) "$4" "$5" $start 136 108
}
# quota_block INO: prints the offset of a quota file's first block, which is in AG 0, in bytes
quota_block() {
	echo $((($(peek $(($1 * 512 + 176 + 8)) 8) >> 21 & 0xffffff) * 4096))
}

# ---- realtime sections ----

# Prints why the program under test can't read the realtime section of $IMG that this machine's mkfs.xfs wrote; nothing
# if it can. Without groups, bitmap and summary have the kernel's byte order (ondisk 09), and a program under emulation
# has another one.
foreign_words_reason() {
	[ -z "${TESTED_BIG_ENDIAN:-}" ] || [ "$(peek 16 8)" -eq 0 ] || [ "$(peek 218 1)" -ne 0 ] ||
		echo "bitmap and summary without groups are in the order of bytes of the machine that wrote them, which is another"
}

# rt_image OPTION...: makes $IMG, with 4 AGs of 80 MiB, and $IMG.rt, with options of mkfs.xfs. /file has 8 KiB in the
# realtime section. Neither mkfs.xfs nor every kernel can make such a file, so an ordinary file is changed, and
# xfs_repair corrects the rest. The file has whole realtime extents: from block 2 on, or, if extents have several
# blocks, from the second extent on.
rt_image() {
	local tool ino fork=u3 size extent blocks

	for tool in mkfs.xfs xfs_db xfs_repair; do command -v $tool >/dev/null || skip_test "no $tool"; done
	rm -f "$IMG" "$IMG.rt"
	truncate -s 320m "$IMG.rt"
	head -c 8192 /dev/zero | tr '\0' x >"$WORK/content"
	printf '%s\n' / '0 0' 'd--755 0 0' "file ---644 0 0 $WORK/content" '$' >"$WORK/proto"
	mkfs.xfs -q -p "$WORK/proto" -d file,name="$IMG",size=320m,agcount=4 -r rtdev="$IMG.rt" "$@" \
		>"$WORK/mkfs.out" 2>&1 || skip_test "mkfs.xfs $*: $(head -n 1 "$WORK/mkfs.out")"
	[ -z "$(foreign_words_reason)" ] || skip_test "$(foreign_words_reason)"
	size=$(value 'sb 0' blocksize) extent=$(value 'sb 0' rextsize)
	blocks=$(((8192 / size + extent - 1) / extent * extent))
	ino=$(rt_file)
	[ $((0x$(value 'sb 0' versionnum | sed 's/0x//') & 15)) -eq 5 ] || fork=u
	db "inode $ino" 'write -d core.realtime 1' "write -d core.nblocks $blocks" "write -d $fork.bmx[0].blockcount $blocks" \
		"write -d $fork.bmx[0].startblock $((extent > 1 ? extent : 2))" >/dev/null
	xfs_repair -r "$IMG.rt" "$IMG" >"$WORK/repair.out" 2>&1 || skip_test "xfs_repair can't do it"
	[ "$(value "inode $ino" core.nblocks)" = $blocks ] && sound_so_far
}

rt_old() { rt_image -m rmapbt=0,reflink=0 "$@"; }

# rt_data NAME: makes $IMG and $IMG.rt copies of an image with realtime groups in tests/data, which only the newest
# mkfs.xfs can make; $metafiles lists the inodes of its metadata directory tree
rt_data() {
	local dir=$SHARED/$1 part

	if [ ! -e "$dir" ]; then
		part=$(mktemp -d "$SHARED/part.XXXXXX") && tar -C "$part" -xSJf "$top/tests/data/$1.tar.xz" || return 1
		mv -T "$part" "$dir" 2>/dev/null || [ -e "$dir" ] || return 1 # another script may have been faster
	fi
	cp --sparse=always "$dir/test.img" "$IMG"
	cp --sparse=always "$dir/test.img.rt" "$IMG.rt"
	sound_so_far
	metafiles=$top/tests/data/$1.inodes
}
rt_groups() { rt_data rt-groups; }
rt_groups_unshared() { rt_data rt-groups-unshared; }
rt_zoned() { rt_data rt-zoned; }
rt_shared() { rt_data rt-shared; } # with quotas, and files that share blocks: see tests/data/make-rt-crash
rt_meta_directory=129 # inode of the metadata directory tree's root

# poke_metafile PATH OFFSET BYTES VALUE: changes the inode of a path in the metadata directory tree of an rt_data image
poke_metafile() {
	local start

	start=$(metafile_start "$1")
	poke $((start + $2)) "$3" "$4" $start 512 100
}

# metafile_start PATH: prints the byte offset of that inode in an rt_data image
metafile_start() {
	local ino

	ino=$(awk -v path="$1" '$1 == path { print $2 }' "$metafiles")
	echo $(((ino >> 18) * 81920 * 1024 + (ino & 0x3ffff) * 512))
}

# erase_metafile PATH: zeroes that inode
erase_metafile() {
	zero_sectors $(($(metafile_start "$1") / 512)) 1
}

# hex WORD: prints the hexadecimal digits of a word's bytes
hex() { printf %s "$1" | od -A n -t x1 | tr -d ' \n'; }

# put_hex INO OFFSET DIGITS...: changes bytes of an inode in AG 0
put_hex() {
	printf "$(printf %s "${@:3}" | sed 's/../\\x&/g')" |
		dd of="$IMG" bs=1 seek=$(($1 * 512 + $2)) conv=notrunc status=none
	poke_inode "$1" 0 2 0x494e
}

# metadata_inode INO NAME PARENT METATYPE: makes a new inode of the metadata directory tree, empty except for its parent
# pointer; METATYPE 1: a directory
metadata_inode() {
	local parent=$(printf '%016x%08x' "$3" "$(peek $(($3 * 512 + 92)) 4)") flags

	dd if="$IMG" of="$IMG" bs=512 skip=$rt_meta_directory seek="$1" count=1 conv=notrunc status=none
	put_hex "$1" 176 "$(zeroes 336)"
	poke_inode "$1" 152 8 "$1"
	poke_inode "$1" 6 2 "$4"
	poke_inode "$1" 16 4 2
	poke_inode "$1" 56 8 0
	poke_inode "$1" 82 2 0x1801
	put_hex "$1" 368 "$(printf '%04x0100%02x0c08' $((19 + ${#2})) ${#2})" "$(hex "$2")" "$parent"
	[ "$4" -ne 1 ] || return 0
	flags=$(peek $(($1 * 512 + 90)) 2)
	poke_inode "$1" 2 2 0100000
	poke_inode "$1" 5 1 2
	poke_inode "$1" 16 4 1
	poke_inode "$1" 90 2 $((flags & ~0x400))
}

# rt_groups with a quota directory, as the first mount with quotas of users and groups makes it: its inode is $quota;
# $user and $group are its files, which are still empty.
rt_quota_directory() {
	local block

	rt_groups
	quota=131 user=132 group=133
	metadata_inode $quota quota $rt_meta_directory 1
	metadata_inode $user user $quota 2
	metadata_inode $group group $quota 3
	# entries: length of the name, offset, name, type, inode
	poke_inode $quota 56 8 31
	put_hex $quota 176 "0200$(printf %08x $rt_meta_directory)" "040060$(hex user)01$(printf %08x $user)" \
		"050070$(hex group)01$(printf %08x $group)"
	poke_inode $rt_meta_directory 16 4 4
	poke_inode $rt_meta_directory 56 8 35
	poke_inode $rt_meta_directory 176 1 2
	put_hex $rt_meta_directory 198 "050078$(hex quota)02$(printf %08x $quota)"
	# both inode btrees, the AGI and the superblock say that these inodes are in use; no usage has been counted yet
	for block in 1 2; do
		poke_block $block 52 63 1 58
		poke_block $block 52 64 8 0xffffffffffffffc0
	done
	poke_agi 0 28 4 58
	poke_sb 0 136 8 101
	poke_sb 0 100 2 $(($(peek 100 2) | 0x40))
	poke_sb 0 176 2 0x41
	sound_so_far
}

poke_rtsb() { # OFFSET BYTES VALUE
	"$OUT/tests/tools/poke" "$IMG.rt" "$@" 0 4096 4 >/dev/null
}
poke_sb1() { # OFFSET BYTES VALUE, in AG 1 of an rt_image
	poke $((81920 / 4 * 4096 + $1)) "$2" "$3" $((81920 / 4 * 4096)) 512 224
}

# Prints the number of the inode of /file.
rt_file() { db 'path /file' inode | sed 's/.* is //'; }

# first_block INO: prints the address of a file's first block on the device, in blocks of 4 KiB
first_block() {
	local fsbno

	fsbno=$(db "inode $1" 'print u3.bmx[0].startblock' | sed 's/.* = \([0-9]*\).*/\1/')
	db "convert fsblock $fsbno daddr" | sed 's/.*(\([0-9]*\)).*/\1/' | awk '{ print int($1 / 8) }'
}

# ---- mounting ----

# Prints why this machine can't mount XFS; nothing if it can.
no_mount_reason() {
	if [ "$(id -u)" -ne 0 ]; then
		echo "mounting needs root"
	elif ! grep -qw xfs /proc/filesystems && ! modprobe -q xfs 2>/dev/null; then
		echo "this kernel has no XFS"
	elif ! losetup -f >/dev/null 2>&1; then
		echo "no loop device"
	elif ! command -v mkfs.xfs >/dev/null; then
		echo "no mkfs.xfs"
	fi
}

# Prints why this machine can't record what a file system writes (tests/dominance/recorder.py); nothing if it can.
no_record_reason() {
	if [ ! -w /dev/fuse ] && ! modprobe -q fuse 2>/dev/null; then
		echo "no /dev/fuse"
	elif ! grep -qw fuse /proc/filesystems; then
		echo "this kernel has no FUSE"
	fi
}

# no_parents: prints options, to be left unquoted, with which mkfs.xfs makes no parent pointers, for tests that need
# fixed places, or names with no other copy. Newer versions need the option, older ones don't know it.
no_parents() { [[ $(mkfs.xfs 2>&1) != *parent=0* ]] || echo "-n parent=0"; }

# no_trace_reason: prints why the tested programs can't be traced here, or nothing
no_trace_reason() {
	if [ -n "${SANITIZE:-}" ]; then
		echo "sanitizers and being traced don't go together"
	elif [ -n "${TESTED_EMULATED:-}" ]; then
		echo "an emulator shows no calls of what it runs"
	fi
}

# let_go IMAGE: waits until the kernel releases an image that was unmounted. That takes a moment if another process,
# such as a test that runs at the same time, has a copy of the mounts of that time.
is_let_go() { [ -z "$(losetup -j "$1")" ]; }
let_go() { wait_until is_let_go "$1"; }

# with_mounted IMAGE COMMAND...: mounts the image at $WORK/mnt while the command runs.
with_mounted() {
	local image=$1 status=0
	shift
	mkdir -p "$WORK/mnt"
	[ -z "${HELD:-}" ] || "$HELD" mounts "$image"
	mount -o loop,nouuid "$image" "$WORK/mnt" || return 1
	"$@" || status=$?
	umount "$WORK/mnt" && let_go "$image" || return 1
	[ -z "${HELD:-}" ] || "$HELD" mounted "$image"
	return $status
}

# The account of each repair of a suite is compared with what the kernel shows of the file system before the damage, as
# with_mounted or base_image left it last, and after the repair: one more test, at the end. A suite where that is
# impossible has a line accounts=no, and says why there.
hold_accounts() {
	[ -z "$(no_mount_reason)" ] && [ -z "${TESTED_EMULATED:-}" ] || return 0
	mkdir -p "$WORK/held" && export HELD=$top/tests/account/held
	trap accounts_held EXIT
}

# unheld COMMAND...: for repairs whose accounts can't be compared; the reason stands beside each of these calls
unheld() {
	local HELD=
	"$@"
}

# accounts_may_lack PATTERN: lines of account errors with the pattern are no failure of the suite
accounts_may_lack() { export HELD_AMISS=$1; }

accounts_held() {
	local status=$?
	if [ -s "$WORK/held/amiss" ]; then
		not_ok accounts "what repairs tell is not what they do"
		cat "$WORK/held/amiss"
	elif [ -s "$WORK/held/count" ]; then
		ok accounts
		echo "note accounts of repairs that were held against the truth: $(wc -l <"$WORK/held/count")"
	fi
	exit $status
}

# Fills all free space with the file "space" in $WORK/mnt, then punches holes in it: KIB at each OFFSET, in KiB.
take_space() { # OFFSET KIB...
	local file=$WORK/mnt/space end=0 step
	xfs_io -x -c 'resblks 0' "$WORK/mnt" >/dev/null || return 1
	for step in 65536 8192 1024 64 8 1; do
		while xfs_io -c "falloc ${end}k ${step}k" "$file" 2>/dev/null; do end=$((end + step)); done
	done
	while [ $# -gt 0 ]; do
		xfs_io -c "fpunch ${1}k ${2}k" "$file" || return 1
		shift 2
	done
}

# with_kernel_log IMAGE OPTIONS COMMAND...: mounts the image at $WORK/mnt while the command runs. The kernel's messages
# about it go to $WORK/kernel.log: those between two marks of this call, as no other test can get the loop device
# meanwhile.
with_kernel_log() {
	local image=$1 options=$2 mark=xfsck-test-$BASHPID-$(date +%s%N) loop status=0
	shift 2
	mkdir -p "$WORK/mnt"
	loop=$(losetup -f --show "$image") || return 1
	echo "$mark begins" >/dev/kmsg
	if mount -o "$options" "$loop" "$WORK/mnt"; then
		"$@" || status=$?
		umount "$WORK/mnt" || status=1
	else
		status=1
	fi
	echo "$mark ends" >/dev/kmsg
	dmesg | sed -n "/$mark begins\$/,/$mark ends\$/p" >"$WORK/marked.log"
	losetup -d "$loop"
	let_go "$image" || return 1
	grep -q "$mark begins" "$WORK/marked.log" || { echo "the kernel's log has lost what it said"; return 1; }
	grep -F "(${loop#/dev/}): " "$WORK/marked.log" >"$WORK/kernel.log" || status=1
	return $status
}

# on_device COMMAND...: runs the command while $LOOP is a block device that is $IMG
on_device() {
	local status=0
	LOOP=$(losetup -f --show "$IMG") || return 1
	"$@" || status=$?
	losetup -d "$LOOP"
	return $status
}

# v4_image [MKFS-OPTION...]: makes $IMG a file system of version 4 with files, directories of each format, symbolic
# links and special files. mkfs.xfs makes these, since current kernels may not mount that version. Fails if mkfs.xfs
# does not support it any more, and says so in $WORK/skipped.
v4_image() {
	local proto=$WORK/v4.proto file=$WORK/v4.file i
	command -v mkfs.xfs >/dev/null || {
		echo "no mkfs.xfs" >"$WORK/skipped"
		return 1
	}
	seq 5600 >"$file" # no block of it looks like metadata
	{
		printf '/\n0 0\nd--755 0 0\n'
		printf 'file ---644 0 0 %s\nempty ---640 7 9 /dev/null\n' "$file"
		printf 'pipe p--644 0 0\nchar c--600 0 0 4 300\nblock b--600 0 0 259 70000\n'
		printf 'link l--777 0 0 target\nlonglink l--777 0 0 '
		printf '%0.sa/long/path/' {1..60}
		echo
		for i in 2 20 200 1200; do
			echo "dir$i d--755 1 2"
			seq -f "name_of_entry_%05.0f ---644 0 0 /dev/null" "$i"
			printf 'sub d--700 0 0\nfile ---644 3 4 %s\n$\n$\n' "$file"
		done
		echo '$'
	} >"$proto"
	rm -f "$IMG"
	mkfs.xfs -q -m crc=0 -d file,name="$IMG",size=320m "$@" -p "$proto" >"$WORK/mkfs.log" 2>&1 &&
		sound_so_far && return 0
	echo "mkfs.xfs -m crc=0 $*: $(head -n 1 "$WORK/mkfs.log")" >"$WORK/skipped"
	return 1
}

# ---- repairs of $IMG ----

# True if xfs_repair can judge $IMG: not if that has metadata directories, realtime groups or zones, and xfs_repair is
# older than 6.15.
repair_knows_realtime() {
	[ $(($(od -An -tu1 -j218 -N1 "$IMG"))) -eq 0 ] ||
		printf '%s\n' 6.15 "$(xfs_repair -V | awk '{ print $NF }')" | sort -VC
}

# Sets devices to the options that name the realtime device for both programs, if there is one.
find_devices() {
	devices=()
	[ ! -e "$IMG.rt" ] || devices=(-r "$IMG.rt")
}

# True if xfs_repair finds nothing in $IMG, or does not know this format.
judged_clean() {
	local devices

	find_devices
	command -v xfs_repair >/dev/null && repair_knows_realtime || return 0
	xfs_repair -n -f "${devices[@]}" "$IMG" >"$WORK/repair.out" 2>&1 && return 0
	grep -q 'more recent xfs_repair\|unsupported version' "$WORK/repair.out" || { echo "xfs_repair:"; cat "$WORK/repair.out"; return 1; }
}

# True if one repair mends $IMG: a check and xfs_repair find nothing afterwards, and a second repair writes nothing.
mended() {
	local devices

	find_devices
	timeout 120 "$XFSCK" "${devices[@]}" "$IMG" >"$WORK/report" 2>&1 || { echo "exit status $?"; tail -n 20 "$WORK/report"; return 1; }
	grep -q '^Fix: ' "$WORK/report" || { echo "nothing was mended"; cat "$WORK/report"; return 1; }
	timeout 60 "$XFSCK" -n --exact "${devices[@]}" "$IMG" >"$WORK/report" 2>&1 || { echo "not clean"; cat "$WORK/report"; return 1; }
	judged_clean || return 1
	cp --sparse=always "$IMG" "$WORK/once.img"
	timeout 60 "$XFSCK" "${devices[@]}" "$IMG" >"$WORK/report" 2>&1 && cmp "$IMG" "$WORK/once.img"
}

# Prints lines of a report, as text or JSON, that take the device for a bad copy or a wrongly assembled array. Only
# suite/copies makes these.
of_bad_copies() { # FILE
	grep -aE 'is not in order: |is no whole copy: |A copy that was not finished looks like this|of whose members is of an earlier time' "$1"
}

# sector_of OBJECT [COMMAND...]: prints the first sector of an object of xfs_db
sector_of() { db "$@" daddr | awk '/daddr is/ { print $4 }'; }

# True if these sectors of $IMG are those of the sound image.
as_it_was() { # BASE SECTOR SECTORS
	cmp <(dd if="$(pristine "$1")" bs=512 skip="$2" count="$3" status=none) \
		<(dd if="$IMG" bs=512 skip="$2" count="$3" status=none)
}

# keep_sound: a copy of $IMG as it is now, and of its realtime device, for is_sound_again
keep_sound() {
	cp --sparse=always "$IMG" "$IMG.sound"
	[ ! -e "$IMG.rt" ] || cp --sparse=always "$IMG.rt" "$IMG.rt.sound"
}

# True if $IMG is byte for byte the image of keep_sound again, except for what a repair writes for itself: LSN and
# checksum of the superblock, the end of the log, and its redo record, here one block of free space.
is_sound_again() {
	local log=$(peek 48 8) bits=$(peek 124 1) block=$(peek 4 4) begin differs
	begin=$((((log >> bits) * $(peek 84 4) + (log & ((1 << bits) - 1))) * block))
	differs=$(command cmp -l "$IMG.sound" "$IMG" | awk -v begin=$begin -v end=$((begin + $(peek 96 4) * block)) \
		-v redo="$(blocks_with xRd | head -n 1)" '
		{ at = $1 - 1 }
		(at >= 224 && at < 228) || (at >= 240 && at < 248) || (at >= begin && at < end) { next }
		redo == "" || at < redo + 0 || at >= redo + 4096 { print "byte " at " is not as it was" }')
	[ -z "$differs" ] || { head -n 5 <<<"$differs"; return 1; }
	[ ! -e "$IMG.rt.sound" ] || cmp "$IMG.rt" "$IMG.rt.sound"
}

# Runs a test "mended" for each image test whose name is read from standard input.
mended_images() {
	local name why

	while read -r name; do
		rm -f "$IMG" "$IMG.rt" "$WORK/skipped"
		if why=$(bash -euc '. "$1"; . "$2"' - "$top/tests/lib.sh" "$top/tests/image/$name/make" 2>&1); then
			expect_ok "mended/$name" mended
		elif [ -e "$WORK/skipped" ]; then
			skip "mended/$name" "$(cat "$WORK/skipped")"
		else
			not_ok "mended/$name" "it can't be made: $why"
		fi
	done
}

[[ $0 != */tests/suite/* ]] || grep -q '^accounts=no' "$0" || hold_accounts
