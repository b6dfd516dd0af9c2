# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that the suites of audits share; bash, sourced after lib.sh.
reports=$WORK/reports

# run STATUS ARGUMENT...: must exit with this status; its output is in $WORK/report
run() {
	local status=0
	timeout 120 "$PLAIN" "${@:2}" >"$WORK/report" 2>&1 || status=$?
	[ $status -eq "$1" ] || { echo "$*: exit status $status"; cat "$WORK/report"; return 1; }
}
says() { grep -qE -- "$1" "$WORK/report" || { echo "lacks: $1"; cat "$WORK/report"; return 1; }; }
audit() { run "$1" --audit --audit-dir="$reports" --snapshot-dir="$WORK/hooks" "${@:2}"; }
status() { run "$1" --status --audit-dir="$reports" "${@:2}"; }
