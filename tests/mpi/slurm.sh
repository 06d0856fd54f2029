#!/bin/bash
# SPDX-License-Identifier: MIT
#
# slurm.sh BUILD - a job of Slurm on this node alone, with daemons of its own: srun starts ranks of both MPIs, and the processes that
# report them. Prints TAP; skips where Slurm is not installed, or its daemons do not start. Not under a sanitizer.
set -u

if [ $# -ne 1 ]; then
	echo "usage: slurm.sh BUILD" >&2
	exit 2
fi
build=$(cd "$1" && pwd) || exit 2
here=$(cd "$(dirname "$0")" && pwd)
export PATH="$build:$PATH:/usr/sbin" LC_ALL=C OMP_NUM_THREADS=2 WINNOW_CALIBRATE=never XDG_CACHE_HOME=/dev/null/none
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES WINNOW_OUT WINNOW_BACK WINNOW_JOB

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}
for tool in munged slurmctld slurmd srun jq; do
	command -v $tool > /dev/null || skip "$tool is missing"
done
[ "$(id -u)" = 0 ] || skip "the daemons of Slurm run as root here"

top=$(mktemp -d "${TMPDIR:-/tmp}/winnow-slurm.XXXXXX")
stop() {
	for daemon in slurmd slurmctld munged; do
		[ -s "$top/$daemon.pid" ] && kill "$(cat "$top/$daemon.pid")" 2> /dev/null
	done
	sleep 1
	rm -rf "$top"
}
trap stop EXIT
cd "$top" || exit 1
export SLURM_CONF=$top/slurm.conf
node=$(hostname -s)
port=$((20000 + $$ % 20000))
head -c 1024 /dev/urandom > munge.key
chmod 400 munge.key
echo 'CgroupPlugin=cgroup/v1' > cgroup.conf
mkdir spool state
cat > slurm.conf <<END
ClusterName=one
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$top/munge.sock
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
StateSaveLocation=$top/state
SlurmdSpoolDir=$top/spool
SlurmctldPidFile=$top/slurmctld.pid
SlurmdPidFile=$top/slurmd.pid
SlurmctldLogFile=$top/slurmctld.log
SlurmdLogFile=$top/slurmd.log
SlurmctldPort=$port
SlurmdPort=$((port + 1))
MpiDefault=none
NodeName=$node NodeAddr=127.0.0.1 CPUs=64
PartitionName=all Nodes=$node Default=YES State=UP
END
munged --force --key-file="$top/munge.key" --socket="$top/munge.sock" --pid-file="$top/munged.pid" --log-file="$top/munged.log" \
	--seed-file="$top/munge.seed" > daemons 2>&1
slurmctld >> daemons 2>&1
slurmd >> daemons 2>&1
for _ in $(seq 60); do
	[ "$(sinfo -h -o %t 2> /dev/null)" = idle ] && break
	sleep 0.5
done
[ "$(sinfo -h -o %t 2> /dev/null)" = idle ] || skip "the daemons of Slurm do not start: $(tail -n 1 daemons slurmd.log slurmctld.log | tr '\n' ' ')"

number=0
result() { # sentence, what speaks against it
	number=$((number + 1))
	if [ -z "$2" ]; then
		echo "ok $number - slurm: $1"
	else
		printf 'not ok %s - slurm: %s\n' "$number" "$1"
		printf '%s\n' "$2" | head -n 40 | sed 's/^/# /'
	fi
}

run() { # srun, without its notes on waiting for CPUs
	timeout 120 srun --quiet "$@"
}

ranks_of() { # the manifests: launcher, rank, size, rank that MPI has, state
	jq -c '[.launcher, .rank, .size, .mpi.rank, .state]' "$1"/r/000/00000?.json
}

ranks_expected() { # ranks
	for ((i = 0; i < $1; i++)); do
		echo "[\"Slurm\",$i,$1,$i,\"recorded\"]"
	done
}

check_mpi() { # MPI, how srun starts it
	local name=$1
	if ! command -v mpicc."$1" > /dev/null; then
		number=$((number + 1))
		echo "ok $number - slurm: ranks of $1 # SKIP mpicc.$1 is missing"
		return
	fi
	mpicc."$1" -g -O1 -fopenmp -DPART_RING "$here/programs/parts.c" -o "$name" > compile 2>&1 || result "parts.c compiles" "$(cat compile)"
	run --mpi="$2" -n 3 "./$name" > plain 2>&1
	run --mpi="$2" -n 3 winnow record -o "$name.winnow.d" "./$name" > out 2> talk
	result "srun --mpi=$2 winnow record: ranks of $1 print the same, and all are there" "$(diff plain out
		ranks_of "$name.winnow.d" | diff - <(ranks_expected 3)
		grep -c "$name.winnow.d: rank 0 of 3: .* complete" talk | grep -qx 1 || cat talk)"
	winnow report --json "$name.winnow.d" > job.json 2> talk
	rm -r "$name.winnow.d/s"
	result "srun winnow report: the processes share the ranks of $1, and report the same" \
		"$(run -n 2 winnow report --json "$name.winnow.d" 2>&1 | diff job.json - 2>&1; cat talk
		ls "$name.winnow.d"/s/*.sum 2> /dev/null)"
}
check_mpi openmpi pmix
check_mpi mpich pmi2

# Without an MPI, Slurm's variables alone name the ranks; and another step is another job.
run -n 2 winnow record -o other.winnow.d "$build/tests/programs/cli-omp.c.gcc" > out 2>&1
run -n 2 winnow record -o other.winnow.d "$build/tests/programs/cli-omp.c.gcc" > out 2>&1
result 'two steps in one directory: two jobs, and one line names both' "$(
	ranks_of other.winnow.d | diff - <(printf '["Slurm",%s,2,null,"recorded"]\n' 0 1)
	ranks_of other.winnow.d/slurm-* | diff - <(printf '["Slurm",%s,2,null,"recorded"]\n' 0 1)
	grep -c 'other.winnow.d' out | grep -q '^[12]$' || cat out)"

# A step that is killed.
printf '#!/bin/sh\ntouch running.$SLURM_PROCID\nexec sleep 60\n' > linger
chmod +x linger
winnow_killed() {
	run -n 2 winnow record -o killed.winnow.d sh -c "$build/tests/programs/cli-omp.c.gcc; ./linger" > out 2>&1 &
	local step=$!
	for _ in $(seq 200); do
		[ -e running.0 ] && [ -e running.1 ] && break
		sleep 0.1
	done
	scancel --quiet "$(squeue -h -o %i)"
	wait $step
}
winnow_killed
result 'scancel leaves the traces of all ranks' "$(winnow report --json killed.winnow.d 2>&1 |
	jq -c '[.job.ranks, .job.size, ([.ranks[].grains] | min > 0)]' | diff - <(echo '[2,2,true]'))"
echo "1..$number"
