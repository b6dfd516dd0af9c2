# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Realtime sections and groups, with their metadata. Part of tests/lib.sh.

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
