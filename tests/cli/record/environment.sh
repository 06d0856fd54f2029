#: environment
# the recorder is told an absolute path and a way back
winnow record -k -o here sh -c 'echo "$WINNOW_OUT"; test -w "$WINNOW_BACK" && echo writable' 2> /dev/null > out
test "$(cat out)" = "$PWD/here
writable"
#: installed
# an installation that was moved finds its recorder
build=$(dirname "$(command -v winnow)")
mkdir -p moved/bin moved/lib/winnow
cp "$build/winnow" moved/bin
cp "$build/libwinnow-record.so" moved/lib/winnow
moved/bin/winnow record -k sh -c 'echo "$LD_PRELOAD"' 2> /dev/null
#= stdout glob
#| /*/moved/lib/winnow/libwinnow-record.so
#: nested
# record inside record names the library once
winnow record -k -o outer winnow record -k -o inner sh -c 'echo "$LD_PRELOAD"; basename "$WINNOW_OUT"' 2> /dev/null
#= stdout glob
#| /*/libwinnow-record.so
#| inner
#: path-with-blank
# a recorder that LD_PRELOAD cannot name: says so, and the program runs
build=$(dirname "$(command -v winnow)")
mkdir 'a b'
cp "$build/winnow" "$build/libwinnow-record.so" 'a b'
'a b/winnow' record -k sh -c 'echo ran; exit 5'
#= exit 5
#= stdout
#| ran
#= stderr glob
#| winnow record: /*/a b/libwinnow-record.so: its path has a space or a colon in it; the program runs unrecorded
#: preload-kept
# what the user preloads stays, behind the recorder
gcc -shared -fPIC -o libmine.so "$PROGRAMS/preloaded.c"
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
export LD_PRELOAD="$PWD/libmine.so"
winnow record -k sh -c 'echo "$LD_PRELOAD"; SAY_HELLO=1 ./serial' 2> /dev/null
#= stdout glob
#| /*/libwinnow-record.so:/*/libmine.so
#| preloaded
#| serial
#: preload-sanitizer
# a sanitizer's runtime that the user preloads stays first
library=$(gcc -print-file-name=libasan.so)
library=$(realpath "$library" 2> /dev/null) || { echo "no libasan"; exit 77; }
[ -f "$library" ] || { echo "no libasan"; exit 77; }
gcc -fsanitize=address -fopenmp -o omp "$PROGRAMS/omp.c"
unset ASAN_OPTIONS
# linked, and not preloaded: it would refuse to start behind the recorder
winnow record ./omp 2> /dev/null
#= stdout
#| sum 55
#: tool-disabled
# OMP_TOOL=disabled stays as the user set it, and is named as the reason
$CLANG -fopenmp -o omp "$PROGRAMS/omp.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
OMP_TOOL=disabled winnow record ./omp
#= exit 125
#= stdout
#| sum 55
#= stderr glob
#| winnow record: nothing recorded: OMP_TOOL=disabled is set, *
#: tools-kept
# OMP_TOOL_LIBRARIES and OMP_TOOL of the user stay
OMP_TOOL=enabled OMP_TOOL_LIBRARIES=/a/tool.so:/b/tool.so winnow record -k \
	sh -c 'echo "$OMP_TOOL_LIBRARIES $OMP_TOOL"' 2> /dev/null
#= stdout glob
#| /*/libwinnow-record.so:/a/tool.so:/b/tool.so enabled
#: script-resets-preload
# a script that resets LD_PRELOAD is found out, with the line
printf '#!/bin/sh\n# LD_PRELOAD= in a remark\nLD_PRELOAD= ; export LD_PRELOAD\necho ran\n' > script
chmod +x script
winnow record ./script
#= exit 125
#= stdout
#| ran
#= stderr glob
#| winnow record: nothing recorded: line 3 of the script sets LD_PRELOAD itself, *
#: set-user-id
# a program that changes its user: says that the loader keeps the recorder out
[ "$(id -u)" -eq 0 ] || { echo "needs root"; exit 77; }
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
chown 65534 serial
chmod 4755 serial
chmod 755 .
winnow record -k ./serial > /dev/null
#= stderr glob
#| winnow record: nothing recorded: it runs with another user's rights *
#: signals-inherited
# the program inherits the signal dispositions winnow was started with
grep '^Sig[IB]' /proc/self/status > without
winnow record -k grep '^Sig[IB]' /proc/self/status > with 2> /dev/null
cmp without with
trap '' INT HUP CHLD
grep '^Sig[IB]' /proc/self/status > without
winnow record -k grep '^Sig[IB]' /proc/self/status > with 2> /dev/null
cmp without with
#: back-channel
# what recorders report through the back channel is believed for this recording only
winnow record -o here sh -c 'echo "start 12 ompt /etc/passwd" >> "$WINNOW_BACK"
echo "fail 13 28 create" >> "$WINNOW_BACK"; echo "nonsense" >> "$WINNOW_BACK"'
#= exit 125
#= stderr
#| winnow record: nothing recorded: the recorder could not start in process 13: create: No space left on device

#: job-directory
# ranks of one job write one directory; the first one prints the line
export OMPI_COMM_WORLD_SIZE=2 PMIX_NAMESPACE=77
for rank in 1 0; do
	OMPI_COMM_WORLD_RANK=$rank winnow record -o job.winnow.d "$COMPILED/cli-omp.c.gcc"
done
(cd job.winnow.d && find . -type f | sort)
jq -c '[.schema, .job_key, .launcher, .size]' job.winnow.d/job.json
jq -c '[.rank, .size, .attempt, .state, .trace, .end.exit_status]' job.winnow.d/r/000/000001.json
#= stdout
#| sum 55
#| sum 55
#| ./job.json
#| ./r/000/000000.json
#| ./r/000/000000.winnow
#| ./r/000/000001.json
#| ./r/000/000001.winnow
#| ["winnow.job/1","open-mpi-77","Open MPI",2]
#| [1,2,0,"recorded","000001.winnow",0]
#= stderr glob
#| winnow record: job.winnow.d: rank 0 of 2: * complete*
#: job-launcher
# a launcher that winnow starts: the recorders of its ranks write the directory
cat > mpirun << 'END'
#!/bin/sh
for PMI_RANK in 0 1 2; do
	export PMI_RANK PMI_SIZE=3
	"$@"
done
END
chmod +x mpirun
winnow record -o job.winnow.d --ranks 0-/2 ./mpirun "$COMPILED/cli-omp.c.gcc"
(cd job.winnow.d && find . -type f | sort)
for rank in 0 1 2; do
	jq -c '[.rank, .launcher, .state, .trace, .end.exit_status]' job.winnow.d/r/000/00000$rank.json
done
#= stdout
#| sum 55
#| sum 55
#| sum 55
#| ./job.json
#| ./r/000/000000.json
#| ./r/000/000000.winnow
#| ./r/000/000001.json
#| ./r/000/000002.json
#| ./r/000/000002.winnow
#| [0,"Hydra","recorded","000000.winnow",0]
#| [1,"Hydra","not_selected",null,0]
#| [2,"Hydra","recorded","000002.winnow",0]
#= stderr glob
#| winnow record: job.winnow.d: 3 of 3 ranks: * complete*
#: job-twice
# a second job does not replace the first; a restart in the same job has another number
export OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0
for job in 77 78 77; do
	PMIX_NAMESPACE=$job winnow record -o job.winnow.d "$COMPILED/cli-omp.c.gcc"
done > /dev/null 2> talk
grep 'has job' talk
(cd job.winnow.d && find . -name '*.winnow' | sort)
jq -c '[.job_key, .attempt]' job.winnow.d/r/000/000000.1.json
#= stdout
#| winnow record: job.winnow.d has job open-mpi-77; job open-mpi-78 is recorded to job.winnow.d/open-mpi-78
#| ./open-mpi-78/r/000/000000.winnow
#| ./r/000/000000.1.winnow
#| ./r/000/000000.winnow
#| ["open-mpi-77",1]
#: job-ends
# a rank that is killed, one without OpenMP and one that is not selected leave manifests
export OMPI_COMM_WORLD_SIZE=3 PMIX_NAMESPACE=77
cat > kills.c << 'END'
#include <signal.h>
#include <unistd.h>
int main(void)
{
	int n = 0;
#pragma omp parallel
#pragma omp atomic
	n++;
	return kill(getpid(), SIGKILL) + n;
}
END
gcc -fopenmp -o kills kills.c
OMPI_COMM_WORLD_RANK=1 winnow record -o job.winnow.d ./kills 2> talk || echo "status $?"
grep -o 'rank 1 of 3, killed by signal 9' talk
OMPI_COMM_WORLD_RANK=2 winnow record -o job.winnow.d true
OMPI_COMM_WORLD_RANK=0 winnow record -o job.winnow.d --ranks 1,2 "$COMPILED/cli-omp.c.gcc"
for rank in 0 1 2; do
	jq -c '[.rank, .state, .trace, .end.exit_status, .end.signal]' job.winnow.d/r/000/00000$rank.json
done
winnow check job.winnow.d/r/000/000001.winnow | grep recording
#= stdout
#| status 137
#| rank 1 of 3, killed by signal 9
#| sum 55
#| [0,"not_selected",null,0,null]
#| [1,"recorded","000001.winnow",null,9]
#| [2,"no_openmp",null,0,null]
#| recording: not closed by the program, readable
#: job-no-room
# a rank whose directory cannot be written is not run, or unrecorded with --keep-going
export OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3 PMIX_NAMESPACE=77
echo file > job.winnow.d
winnow record -o job.winnow.d "$COMPILED/cli-omp.c.gcc" || echo "$?"
winnow record -k -o job.winnow.d "$COMPILED/cli-omp.c.gcc"
# a rank without OpenMP does not fail its job
winnow record -o other.winnow.d true 2> talk
#= stdout
#| 2
#| sum 55
#= stderr
#| winnow record: job.winnow.d: cannot be created: File exists; the program is not run; --keep-going runs it unrecorded
#| winnow record: job.winnow.d: cannot be created: File exists; the program runs unrecorded
#: job-ranks
# a list of ranks that is none is an error
winnow record --ranks 3-1 true
#= exit 2
#= stderr
#| winnow record: --ranks: 3-1 is no list of ranks, such as 0,7,100-110 or 0-/16 (every 16th)
#: counters-columns
# A counter's column has no name that a column of every run has, nor that of a weight
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o omp.winnow ./omp > omp.out 2>&1
winnow export -f csv -o omp.csv omp.winnow
for name in $(awk -F, '!/^#/ { gsub(",", " "); print; exit }' omp.csv) work time; do
	code=0
	winnow record -k -o x.winnow --counters "$name=task-clock" echo "not printed" 2> why || code=$?
	[ $code = 2 ] && grep -q "'$name' is the name of another column" why || echo "$name: exit $code"
done
winnow record -k -o x.winnow --counters "line=task-clock" echo "not printed" 2>&1 || echo "exit $?"
winnow record -k -o x.winnow --counters "lines=task-clock" echo "printed" 2> why
#= stdout
#| winnow record: --counters: 'line' is the name of another column; choose another name
#| exit 2
#| printed
#: counters-families
# Counters that the kernel has no name for are those of the processor's family, or none
[ "$(uname -m)" = x86_64 ] || { echo "families of x86-64 only"; exit 77; }
for family in skx amd64_fam19h_zen3 nhm; do
	# shellcheck disable=SC2016 # the program's own
	LIBPFM_FORCE_PMU=$family winnow record -o t.winnow --counters PAPI_L2_TCM,L2-references,dcm=papi_l2_dcm,L2_data_references \
		sh -c 'echo "$WINNOW_COUNTERS"' 2> /dev/null || true
done
#= stdout
#| perf:L2_misses=4.2724.0.0.,L2_references=4.e724.0.0.,dcm=4.2124.0.0.,L2_data_references=4.e124.0.0.
#| perf:L2_misses=4.964.0.0.,L2_references=4.ff64.0.0.,dcm=4.864.0.0.,L2_data_references=4.f864.0.0.
#| perf:L2_misses=4.aa24.0.0.,L2_references=4.ff24.0.0.,dcm=ffffffff.0.0.0.,L2_data_references=ffffffff.0.0.0.
#: counters-static
# Counts of the chunks of a static loop are shares, as their times are, and said to be
command -v ${CLANG%% *} > /dev/null || { echo "clang is missing"; exit 77; }
printf 'int main(void) {\n#pragma omp parallel for schedule(static, 2)\nfor (int i = 0; i < 12; i++)\n__asm__ volatile("");\nreturn 0; }\n' > loop.c
$CLANG -O1 -g -fopenmp -o loop loop.c || { echo "no OpenMP"; exit 77; }
export OMP_NUM_THREADS=2
winnow record -o plain ./loop > said 2>&1
LD_PRELOAD=$SIMULATED WINNOW_COUNTERS=simulated:more=1 winnow record -o counted ./loop >> said 2>&1
for run in plain counted; do
	winnow report --json $run | grep -o '"chunk times[a-z ]* are each'
done
winnow report --json plain --counts counted | grep -o '"chunk times[a-z ]* are each'
#= stdout
#| "chunk times are each
#| "chunk times and counts are each
#| "chunk times and counts are each
#: counters-twice
# A counter that is named twice, by two of its names
winnow record --counters cycles,PAPI_TOT_CYC -o x.winnow echo "never printed"
#= exit 2
#= stderr
#| winnow record: --counters: 'cycles' comes twice
#: counters-unknown
# A counter that is none keeps the program from starting
winnow record --counters task-clock,nonsense -o x.winnow echo "never printed"
#= exit 2
#= stderr
#| winnow record: --counters: 'nonsense' is not a counter: event not found; see winnow doctor
#: count-check
# What --check is to fill can be written, before anything runs; where the program goes does not matter
[ "$(uname -m)" = x86_64 ] || { echo "no engine for this machine"; exit 77; }
printf '#include <omp.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(int n, char **v) { (void)v;\n#pragma omp parallel\n(void)omp_get_thread_num();\nif (n > 1) abort();\nreturn chdir("elsewhere"); }\n' > moves.c
gcc -O1 -fopenmp -o moves moves.c
mkdir elsewhere
winnow count --check sums ./moves 2> said
grep -c "^every [1-9]" sums
try() {
	winnow count --check "$@" 2> said || echo "exit $?"
	grep "check" said
}
try none/sums ./moves
try moves.counts.winnow ./moves
winnow report moves.counts.winnow > /dev/null
try elsewhere ./moves
# what ends early has checked nothing
try sums ./moves abort | sed "s|$PWD/||"
ls sums elsewhere/* 2> /dev/null || true
# and what is there stays until there is something better, also by its other names
echo mine > kept
ln kept linked
try kept ./moves abort
cat kept
winnow count --check kept ./moves 2> said
grep -c "^every [1-9]" kept
cat linked
find . -name '.winnow-*'
# an option of the engine ends at a comma: whose path has it is named
mkdir some,where
for engine in native qemu; do
	winnow count --engine $engine --check some,where/sums ./moves 2>&1 | sed "s|$PWD/||; s|/.winnow-[0-9a-f]*:|/:|"
done
#= stdout
#| 1
#| exit 1
#| winnow count: --check none/sums: cannot be written: No such file or directory; the program is not run
#| exit 2
#| winnow count: --check moves.counts.winnow: is a recording; not overwritten
#| exit 1
#| winnow count: --check elsewhere: cannot be written: Is a directory; the program is not run
#| exit 134
#| winnow count: --check sums: nothing was written, because no counted process ended normally
#| sums
#| exit 134
#| winnow count: --check kept: nothing was written, because no counted process ended normally
#| mine
#| 1
#| mine
#| winnow count: some,where/: its path has a comma in it, which ends an option of the engine
#| winnow count: some,where/: its path has a comma in it, which ends an option of the engine
#: count-without-engine
# A winnow beside which there is nothing that counts says so, and how to come by it
from=$(dirname "$(command -v winnow)")
mkdir part
cp "$from/winnow" "$from/libwinnow-record.so" part
part/winnow count --engine native true > said 2>&1 || echo $?
sed "s|$PWD|HERE|" said
#= stdout
#| 1
#| winnow count: libwinnow-native.so is not found beside HERE/part/libwinnow-record.so; 'make' builds all that belongs together, and 'make install' puts it there
