# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Quota files. Part of tests/lib.sh.

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
