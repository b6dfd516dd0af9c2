# SPDX-License-Identifier: GPL-2.0-or-later
# For suites that source tests/lib.sh: the account of a repair, held against what the kernel shows. See account.c.

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
