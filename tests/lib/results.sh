# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Results: one line a test, which tests/run counts. Part of tests/lib.sh.

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
	if output=$(EXPECTED=$name "$@" 2>&1); then
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

# Runs a program under strace -f with these options of it; a sanitizer can't look for leaks in a program that is traced.
traced() { ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 TESTED='' strace -f "$@"; }
