#!/usr/bin/env bash
# apsp bench on a Slurm cluster: a process a GPU, a random matrix in all their memories, no file.
#
#   sbatch examples/cluster/slurm.sh                     two nodes of four GPUs
#   sbatch -N 16 examples/cluster/slurm.sh --full        sixteen; words behind the script go to apsp
#   sbatch --gpus-per-node=0 examples/cluster/slurm.sh --device cpu
#
# APSP_IMAGE: a container image, for srun with Pyxis; else apsp must be on the PATH.
#SBATCH --job-name=apsp-bench
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=00:30:00
#SBATCH --output=apsp-bench-%j.out
set -euo pipefail

words=("$@")
if [[ " $* " != *" --device"[\ =]* ]]; then words+=(--device cuda); fi

container=()
if [[ -n ${APSP_IMAGE:-} ]]; then container=(--container-image="$APSP_IMAGE"); fi

# Since Slurm 22.05 srun takes the processors of a task from this variable only.
export SRUN_CPUS_PER_TASK=${SRUN_CPUS_PER_TASK:-${SLURM_CPUS_PER_TASK:-1}}
export OMP_NUM_THREADS=$SRUN_CPUS_PER_TASK

# The tables first, then one JSON object of another run of the same words.
launch=(srun --mpi=pmix --cpu-bind=cores "${container[@]}")
"${launch[@]}" apsp bench "${words[@]}"
"${launch[@]}" apsp bench --json "${words[@]}" >"apsp-bench-${SLURM_JOB_ID:-local}.json"
