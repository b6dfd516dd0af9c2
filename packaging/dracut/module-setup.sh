#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A module of dracut: puts xfsck, as fsck.xfs, into the initial RAM file system. systemd-fsck calls it there for the root file
# system; without systemd, the hook does. That does nothing to an XFS file system, unless the kernel is given
# fsck.mode=force.

check() {
	require_binaries xfsck fsck.xfs
}

depends() {
	echo fs-lib
}

install() {
	inst_multiple xfsck fsck.xfs fsck blkid
	inst_hook pre-mount 20 "$moddir/xfsck.sh"
}
