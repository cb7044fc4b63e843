#!/bin/bash
# The shares of slurm.sh put together, and a page about them. Ends with exit code 1, and says whose
# trials are missing, until all shares are done: run it again then.
#SBATCH --job-name=bandolier-merge
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=00:30:00
set -eu
out=$1

bandolier merge "$out"/part-* --out "$out/whole"
bandolier report "$out/whole"
