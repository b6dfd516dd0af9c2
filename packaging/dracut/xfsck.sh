#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Checks and repairs an XFS root file system before it is mounted, if the kernel is told to: fsck.mode=force. With systemd in the
# initial RAM file system, systemd-fsck does that.
command -v getarg >/dev/null || . /lib/dracut-lib.sh

if [ -z "$DRACUT_SYSTEMD" ] && [ "$(getarg fsck.mode=)" = force ] && [ -b "${root#block:}" ] &&
	[ "$(blkid -s TYPE -o value "${root#block:}")" = xfs ]; then
	info "fsck.mode=force: checking ${root#block:}"
	fsck.xfs -f -a "${root#block:}" >&2 || [ $? -eq 1 ] || warn "fsck.xfs: ${root#block:} is damaged, or could not be checked"
fi
