#!/bin/bash
# SPDX-License-Identifier: MIT
#
# try-jobs.sh [-n RANKS] [-k FOLDER] BUILD [NAME]... - runs MPI programs of Debian packages plainly and under `winnow record`, with
# an independent counter of MPI calls in both (tests/mpi/programs/counter.c). One line for each program:
#   name, package, ranks, status, output (same, differs), ranks with a trace, calls of MPI in all traces, what they have otherwise
#   than the counter in the same run, the largest error of the sum of a thread's times, what `winnow check` says.
# Programs that are not installed are named as such. -k keeps traces and outputs in FOLDER. Fails if anything differs.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

usage() {
	[ $# -eq 0 ] || echo "try-jobs.sh: $*" >&2
	echo "usage: try-jobs.sh [-n RANKS] [-k FOLDER] BUILD [NAME]..." >&2
	exit 2
}

ranks=2
keep=
while getopts n:k: option; do
	case $option in
	n) ranks=$OPTARG ;;
	k) keep=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
[[ $ranks =~ ^[1-9][0-9]*$ ]] || usage "-n $ranks: a number of ranks is wanted"
winnow=$(realpath -m "$1")/winnow
[ -x "$winnow" ] || usage "$1: no winnow there"
shift
type -P jq > /dev/null || { echo "try-jobs.sh: jq is missing" >&2; exit 1; }
if [ -n "$keep" ]; then
	mkdir -p "$keep"
	scratch=$(realpath "$keep")
else
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
fi
export LC_ALL=C OMP_NUM_THREADS=${OMP_NUM_THREADS:-2} OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive} WINNOW_CALIBRATE=never
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
unset LD_PRELOAD

# --- the programs: job_NAME sets mpi (openmpi, mpich), package, command, and where needed
#   input    a shell function that makes input files in the current folder
#   varies   a sed script that takes out what differs from run to run: times
#   output   a file that the program writes, compared beside its standard output

lammps_input() { sed 's/^run.*/run 250/' /usr/share/lammps/examples/"$1"/in."$1" > in.lammps; }
lammps_melt() { lammps_input melt; }
lammps_peptide() { lammps_input peptide && cp /usr/share/lammps/examples/peptide/data.peptide .; }
lammps_times='s/^\(Loop time\|Performance\|[0-9.]*% CPU\|Total wall\|Pair\|Bond\|Kspace\|Neigh\|Comm\|Output\|Modify\|Other\).*//; s/[0-9.]* seconds$//; s/CPU = .*//'

job_lammps-melt() {
	mpi=openmpi package=lammps input=lammps_melt varies=$lammps_times
	command=(lmp -in in.lammps)
}

job_lammps-peptide() {
	mpi=openmpi package=lammps input=lammps_peptide varies=$lammps_times
	command=(lmp -in in.lammps)
}

# HPL, DGEMM, STREAM, PTRANS, RandomAccess, FFT and b_eff in small
hpcc_input() {
	sed 's/^1000 *Ns/400 Ns/; s/^2            Ps/1 Ps/; s/^2            Qs/2 Qs/' /usr/share/doc/hpcc/examples/_hpccinf.txt > hpccinf.txt
	sed -i "s/^[0-9]* *Ps\$/1 Ps/; s/^[0-9]* *Qs\$/$ranks Qs/" hpccinf.txt
}

job_hpcc() {
	mpi=openmpi package=hpcc input=hpcc_input output=hpccoutf.txt
	# what is left are the tests and whether their results are right
	varies='/PASSED\|FAILED\|Success\|^Begin\|^End of .* section/!d; s/^\(WALL\|CPU\) .*\(PASSED\|FAILED\).*/\2/'
	command=(hpcc)
}

job_netpipe-openmpi() {
	mpi=openmpi package=netpipe-openmpi varies='s/ times -->.*//'
	command=(NPopenmpi -u 65536 -n 20 -o np.out)
}

job_netpipe-mpich() {
	mpi=mpich package=netpipe-mpich2 varies='s/ times -->.*//'
	command=(NPmpich2 -u 65536 -n 20 -o np.out)
}

job_scalapack-openmpi() { scalapack openmpi; }
job_scalapack-mpich() { scalapack mpich; }
scalapack() { # LU factorisations of tests of its own
	mpi=$1 package=scalapack-mpi-test input=scalapack_input varies='s/^\(WALL\|CPU\) .*\(PASSED\|FAILED\).*/\2/'
	command=("$(dpkg -L scalapack-mpi-test 2> /dev/null | grep -m 1 "$1-tests/xdlu\$")")
}
scalapack_input() { cp /usr/share/scalapack/LU.dat .; }

# Fortran, MPI and OpenMP
job_elk() {
	# sums of threads, whose order varies
	mpi=openmpi package=elk-lapw input=elk_input output=TOTENERGY.OUT varies='s|\(\.[0-9]\{5\}\)[0-9]*|\1|'
	command=(elk-lapw)
}
elk_input() {
	sed "s|^ *'.*species/'| '$(dirname "$(dpkg -L elk-lapw | grep -m 1 'species/Al.in')")/'|" \
		/usr/share/doc/elk-lapw/examples/basic/Al/elk.in > elk.in
}

# C++, MPI and OpenMP
job_iqtree() {
	mpi=openmpi package=iqtree input=iqtree_input output=in.fa.treefile
	varies='/[0-9]s\b\|[Ss]econds\|Date\|Time\|[Hh]ost\|Command\|Kernel\|h:m:s\|CPU\|GB RAM\|[0-9] sec/d'
	command=(iqtree2-mpi -s in.fa -m JC -seed 1 -nt "$OMP_NUM_THREADS" -te start.tree --redo)
}
iqtree_input() {
	awk 'BEGIN { x = 4711; print ">s0"; for (s = 0; s < 12; s++) { if (s) print ">s" s
		for (i = 0; i < 2000; i++) { x = (x * 1103 + 12345) % 1048576; printf "%s", substr("ACGT", (int(x / 16) % 10 < 3 ? int(x / 512) : i * 7) % 4 + 1, 1) }
		print "" } }' > in.fa
	echo '(s0,s1,((s2,s3),((s4,s5),((s6,s7),((s8,s9),(s10,s11))))));' > start.tree
}

all=(lammps-melt lammps-peptide hpcc netpipe-openmpi netpipe-mpich scalapack-openmpi scalapack-mpich elk iqtree)
for name in "$@"; do
	[[ " ${all[*]} " == *" $name "* ]] || usage "$name: no such program; there are ${all[*]}"
done
[ $# -gt 0 ] || set -- "${all[@]}"

# --- running one

# COUNT(NAME, SYMBOL, number) for the functions of an MPI that return an int, in C and Fortran.
symbols_of() { # libraries
	nm -D "$@" | awk '$2 ~ /[TW]/ && $3 ~ /^(MPI_[A-Z][a-z_0-9]*|mpi_[a-z_0-9]*_)$/ { print $3 }' |
		grep -vEi '_(f2c|c2f|f08_|f08ts_|f08)$|_fn_?$|wtime|wtick|pcontrol|mpi_t_|aint_|f2f08|f082|conversion' | sort -u |
		awk '{ name = tolower($1); sub(/^mpi_/, "", name); sub(/_$/, "", name); if (!(name in number)) number[name] = ++n
			print "COUNT(MPI_" name ", " $1 ", " number[name] ")" }'
}

counter_of() { # MPI: makes the counter for it
	local folder=$scratch/counter-$1 libraries
	[ -e "$folder/counter.so" ] && return
	mkdir -p "$folder"
	case $1 in
	openmpi) libraries=(libmpi.so.40 libmpi_mpifh.so.40) ;;
	*) libraries=(libmpich.so.12 libmpichfort.so.12) ;;
	esac
	symbols_of "${libraries[@]/#/$(dirname "$(ldconfig -p | awk -v l="${libraries[0]}" '$1 == l { print $NF; exit }')")/}" > "$folder/names.def"
	cc -O1 -w -fPIC -shared -I"$folder" "$root/tests/mpi/programs/counter.c" -o "$folder/counter.so" -ldl
}

launch() { # with the counter; its own variable carries it, as launchers have libraries preloaded themselves
	local options=()
	[ $mpi = openmpi ] && options=(--oversubscribe --bind-to none)
	timeout 600 "mpirun.$mpi" "${options[@]}" -n "$ranks" env LD_PRELOAD="$scratch/counter-$mpi/counter.so" "$@"
}

calls_in() { # trace: as the counter writes them
	"$winnow" report --json "$1" | jq -r '.mpi.calls | group_by(.name)[] | "\(.[0].name | ascii_downcase) \(map(.calls) | add)"' | sort
}

# The largest error of the sum of a thread's times, in % of its run; and that of the run's categories.
error_of() { # trace
	"$winnow" report --json "$1" | jq -r '
		((.time | to_entries | map(select(.key | endswith("_percent")) | .value // 0) | add) - 100 | fabs) as $categories |
		(.totals.elapsed_ns - (.threads[0] | .region_ns + .serial_ns + .serial_mpi_ns + .forking_ns - .nested_forking_ns +
			.paused_ns + .lost_ns)) as $rest |
		(if $rest < 0 then -$rest elif $rest > .totals.off_cpu_ns + .totals.blocked_ns
			then $rest - .totals.off_cpu_ns - .totals.blocked_ns else 0 end * 100 / .totals.elapsed_ns) as $thread |
		[$categories, $thread] | max'
}

output_of() { # stem; ranks print in any order
	sed "$varies" "$1.out" | sort
	[ -z "$output" ] || sed "$varies" "$1.$output"
}

failed=0
job() { # name
	local mpi= package= input= varies= output= command=() status plain_status same=same rank trace apart='' error=0 laws='' n=0 calls=0
	"job_$1"
	if ! type -P "${command[0]}" > /dev/null || ! type -P "mpirun.$mpi" > /dev/null; then
		echo "$1: $package is not installed"
		return
	fi
	counter_of $mpi || return
	rm -rf "${scratch:?}/$1" && mkdir "$scratch/$1" && cd "$scratch/$1" || return
	[ -z "$input" ] || $input
	export OMP_NUM_THREADS COUNTS=$PWD/plain.counts
	launch "${command[@]}" > plain.out 2>&1
	plain_status=$?
	[ -z "$output" ] || mv "$output" "plain.$output"
	COUNTS=$PWD/counts launch "$winnow" record -o job.winnow.d "${command[@]}" > both.out 2>&1
	status=$?
	grep -v '^winnow record: ' both.out > recorded.out
	[ -z "$output" ] || mv "$output" "recorded.$output"
	diff <(output_of plain) <(output_of recorded) > changes || same=differs
	[ $status = $plain_status ] || same=differs
	for ((rank = 0; rank < ranks; rank++)); do
		trace=$(printf 'job.winnow.d/r/%03d/%06d.winnow' $((rank / 1000)) $rank)
		[ -s "$trace" ] || continue
		n=$((n + 1))
		# what may be called before and after the recording is not compared
		apart+=$(diff <(tr 'A-Z' 'a-z' < counts.$rank | sort | grep -v 'mpi_\(init\|final\)ialized') \
			<(calls_in "$trace" | grep -v 'mpi_\(init\|final\)ialized'))
		calls=$((calls + $(calls_in "$trace" | awk '{ n += $2 } END { print n + 0 }')))
		error=$(printf '%s\n' "$error" "$(error_of "$trace")" | sort -g | tail -n 1)
		"$winnow" check "$trace" > checked 2>&1 || laws+=$(cat checked)
	done
	[ "$same" = same ] && [ $n = "$ranks" ] && [ -z "$apart$laws" ] && awk "BEGIN { exit !($error <= 0.1) }" || failed=1
	echo "$1: $package, $ranks ranks, status $status, output $same, $n traces, $calls calls, ${apart:-none} apart, times within" \
		"$(printf '%.4f' "$error") %, ${laws:-all laws hold}"
}

for name in "$@"; do
	job "$name"
done
exit $failed
