# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that the test scripts share; bash. tests/run sets OUT (the build's folder), WORK (a scratch folder that it
# removes) and SHARED (a folder of files that all scripts use); XFSCK is the program under test.

set -uo pipefail
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
top=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
SHARED=${SHARED:-$WORK}
QUICK=${QUICK:-} # not empty: the suite has a few seconds
PATIENCE=${PATIENCE:-1} # how many times as long as usual anything may take
OUT=$(cd "${OUT:?}" && pwd -P)
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

for part in results expectations accounts images logs quotas realtime mounting repairs; do . "$top/tests/lib/$part.sh"; done
unset part

[[ $0 != */tests/suite/* ]] || grep -q '^accounts=no' "$0" || hold_accounts
