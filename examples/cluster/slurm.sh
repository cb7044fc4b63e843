#!/bin/bash
# An experiment in eight shares on Slurm, and their results put together:
#
#   share=$(sbatch --parsable examples/cluster/slurm.sh experiment.toml results)
#   sbatch --dependency=afterany:$share examples/cluster/slurm-merge.sh results
#
# A share that was lost or killed goes on where it stopped when it is run again; by itself where a node
# fails (--requeue). One alone, the fifth:
#
#   sbatch --array=5 --export=ALL,PART=5/8 examples/cluster/slurm.sh experiment.toml results
#
#SBATCH --job-name=bandolier
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
set -eu
experiment=$1 out=$2

# `auto` is this task's place in the array. The folder is on a file system that all nodes see.
exec bandolier run "$experiment" --part "${PART:-auto}" --jobs "$SLURM_CPUS_PER_TASK" --quiet \
  --out "$out/part-$SLURM_ARRAY_TASK_ID"
