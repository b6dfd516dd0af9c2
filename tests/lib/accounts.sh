# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The accounts of repairs, held against what the kernel shows. Part of tests/lib.sh. See tests/account/account.c.

# The account of each repair of a suite is compared with what the kernel shows of the file system before the damage, as
# with_mounted or base_image left it last, and after the repair: one more test, at the end. A suite where that is
# impossible has a line accounts=no, and says why there.
hold_accounts() {
	[ -z "$(no_mount_reason)" ] && [ -z "${TESTED_EMULATED:-}" ] || return 0
	export HELD=$top/tests/account/held TRUTHS=$WORK/held
	mkdir -p "$TRUTHS"
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
	if [ -s "$TRUTHS/amiss" ]; then
		not_ok accounts "what repairs tell is not what they do"
		cat "$TRUTHS/amiss"
	elif [ -s "$TRUTHS/count" ]; then
		ok accounts
		echo "note accounts of repairs that were held against the truth: $(wc -l <"$TRUTHS/count")"
	fi
	exit $status
}

# ---- the truth about an image: a copy in $TRUTHS, by its UUID. What a repair has left is no truth, nor what comes of it
# by being mounted. ----

# truth_of IMAGE: sets `truth`
truth_of() {
	truth=$(od -A n -t x1 -j 32 -N 16 "$1" 2>/dev/null)
	truth=$TRUTHS/${truth//[[:space:]]/}.img
}
stamp() { stat -c '%d %i %y' "$1"; } # which changes if somebody writes to it
mark_of() {
	local path
	path=$(realpath "$1")
	echo "$TRUTHS/repaired.${path//\//:}"
}
take_truth() { # IMAGE OF
	cp --sparse=always "$1" "$truth.part" && mv "$truth.part" "$truth" && echo "$2" >"$truth.of"
	rm -f "$truth.clean"
}

# held_copied IMAGE: the image under test is a copy of this one of tests/data, which is the truth
held_copied() {
	local truth
	[ -n "${HELD:-}" ] || return 0
	truth_of "$1"
	[ "$(cat "$truth.of" 2>/dev/null)" = "$1" ] || take_truth "$1" "$1"
}
# held_changed IMAGE: something was added to it that the truth lacks: there is none any more
held_changed() {
	local truth
	[ -n "${HELD:-}" ] || return 0
	truth_of "$1"
	rm -f "$truth" "$truth".*
}
# held_mounts IMAGE: it is about to be mounted
held_mounts() {
	local mark
	[ -n "${HELD:-}" ] || return 0
	rm -f "$TRUTHS/mounts"
	mark=$(mark_of "$1")
	[ ! -e "$mark" ] || [ "$(<"$mark")" != "$(stamp "$1")" ] || : >"$TRUTHS/mounts"
}
# held_mounted IMAGE: it was mounted: what it holds is the truth, unless a repair has left it
held_mounted() {
	local truth
	[ -n "${HELD:-}" ] || return 0
	if [ -e "$TRUTHS/mounts" ]; then
		stamp "$1" >"$(mark_of "$1")"
		rm "$TRUTHS/mounts"
	else
		truth_of "$1"
		take_truth "$1" "$(stamp "$1")"
	fi
}

# ---- one comparison ----

# show IMAGE FOLDER: mounts an image, and its realtime device, as it is, without replaying its log
show() {
	local options=loop,ro,norecovery,nouuid rt= status=0
	mkdir -p "$2"
	if [ -e "$1.rt" ]; then
		rt=$(losetup -r -f --show "$1.rt") || return 1
		options+=,rtdev=$rt
	fi
	mount -o "$options" "$1" "$2" 2>/dev/null || status=$?
	[ -z "$rt" ] || losetup -d "$rt" # as soon as it is not mounted any more
	return $status
}

# show_recovered IMAGE FOLDER: the same for a copy, whose log the kernel replays
show_recovered() {
	mkdir -p "$2"
	[ ! -e "$1.rt" ] || return 1
	cp --sparse=always "$1" "$WORK/recovered.img"
	mount -o loop,nouuid "$WORK/recovered.img" "$2" 2>/dev/null
}

hide() { # IMAGE FOLDER
	! mountpoint -q "$2" || { umount "$2" && let_go "$1"; }
}

# show_sound IMAGE: mounts it where `sound` then says. If it is a link, to an image by which many are measured, that stays
# mounted until hide_sounds, so that the kernel need not read its inodes again.
show_sound() {
	local target
	sound=$WORK/sound
	if [ -L "$1" ]; then
		target=$(readlink "$1")
		sound+=.${target##*/}
		! mountpoint -q "$sound" || return 0
	fi
	show "$1" "$sound"
}

hide_sounds() {
	local folder
	for folder in "$WORK"/sound.*/; do
		! mountpoint -q "$folder" || umount "$folder"
	done
}

# compare_accounts SOUND DAMAGED JSON [FOLDER...]: where DAMAGED is shown; `sound` is where SOUND is
compare_accounts() {
	local status=0
	timeout 60 "$OUT/tests/account/account" "$sound" "$WORK/repaired" "$3" "$2" "$IMG" "${@:4}" >"$WORK/amiss" ||
		status=$?
	[ $status -le 1 ] || echo "the comparison ends with status $status" >>"$WORK/amiss"
	[ $status -eq 0 ]
}

# account_holds SOUND DAMAGED JSON: holds the account of the repair that has made $IMG of DAMAGED, in JSON, against what
# the kernel shows of SOUND and of $IMG. What is amiss goes to $WORK/amiss, a line each: none if the account holds. Fails if
# the kernel does not show one of these.
account_holds() {
	local damaged=() sound status=1
	: >"$WORK/amiss"
	if show_sound "$1" && show "$IMG" "$WORK/repaired"; then
		status=0
		if ! compare_accounts "$@"; then # perhaps the damage has made it so
			! show "$2" "$WORK/damaged" || damaged+=("$WORK/damaged")
			! show_recovered "$2" "$WORK/recovered" || damaged+=("$WORK/recovered")
			[ ${#damaged[@]} -eq 0 ] || compare_accounts "$@" "${damaged[@]}"
			hide "$2" "$WORK/damaged"
			hide "$WORK/recovered.img" "$WORK/recovered"
		fi
	fi
	hide "$IMG" "$WORK/repaired"
	[ -L "$1" ] || hide "$1" "$sound"
	return $status
}
