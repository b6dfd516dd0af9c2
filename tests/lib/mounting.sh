# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Mounting, and what this machine can do. Part of tests/lib.sh.

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
	held_mounts "$image"
	mount -o loop,nouuid "$image" "$WORK/mnt" || return 1
	"$@" || status=$?
	umount "$WORK/mnt" && let_go "$image" || return 1
	held_mounted "$image"
	return $status
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
