# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Repairs of $IMG, and what they must give. Part of tests/lib.sh.

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
