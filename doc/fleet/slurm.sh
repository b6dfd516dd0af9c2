#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Checks many images, or devices, as an array of jobs, and makes one report of all. images.txt has one in each line:
#     jobs=$(sbatch --parsable --array=1-$(wc -l <images.txt)%8 slurm.sh images.txt reports)
#     sbatch --dependency=afterany:$jobs slurm.sh --merge reports
#SBATCH --job-name=xfsck
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
set -u
if [ "$1" = --merge ]; then
	exec xfsck --merge -x --html="$2/all.html" --report=junit:"$2/all.xml" "$2"/*.json
fi
image=$(sed -n "${SLURM_ARRAY_TASK_ID:?}p" "$1")
[ -n "$image" ] || { echo "$1 has no line $SLURM_ARRAY_TASK_ID" >&2; exit 1; }
mkdir -p "$2"
# all that a job may use, less what the program itself takes
exec xfsck -n -m $((${SLURM_MEM_PER_NODE:-4096} * 3 / 4)) --threads="${SLURM_CPUS_PER_TASK:-2}" --json="$2/$SLURM_ARRAY_TASK_ID.json" "$image"
