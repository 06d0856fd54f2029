#!/bin/bash
# SPDX-License-Identifier: MIT
#
# mpi.sh BUILD MPI - hybrid programs of MPI and OpenMP under one MPI, openmpi or mpich, recorded: their output stays the same, the
# calls of MPI in the traces are those that the programs count themselves, times add up, and every rank leaves its trace.
# Prints TAP; skips where the MPI is not installed. Not under a sanitizer.
set -u

if [ $# -ne 2 ]; then
	echo "usage: mpi.sh BUILD MPI" >&2
	exit 2
fi
build=$(cd "$1" && pwd) || exit 2
mpi=$2
here=$(cd "$(dirname "$0")" && pwd)
for tool in mpicc mpirun mpif90; do
	if ! command -v $tool."$mpi" > /dev/null; then
		echo "1..0 # SKIP $tool.$mpi is missing"
		exit 0
	fi
done
export PATH="$build:$PATH" LC_ALL=C OMP_NUM_THREADS=2 WINNOW_CALIBRATE=never XDG_CACHE_HOME=/dev/null/none
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES WINNOW_OUT WINNOW_BACK WINNOW_JOB
if [ "$mpi" = openmpi ]; then
	# more ranks than CPUs, and not spinning; root is who runs tests in a container. All ranks are on this machine: where no
	# network interface reaches itself, Open MPI 5 prints that, with another number each time
	launcher=(mpirun.openmpi --allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 --mca btl ^tcp)
	abi='Open MPI'
else
	launcher=(mpirun.mpich)
	abi=MPICH
fi
top=$(mktemp -d "${TMPDIR:-/tmp}/winnow-mpi.XXXXXX")
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1
number=0

result() { # sentence, what speaks against it
	number=$((number + 1))
	if [ -z "$2" ]; then
		echo "ok $number - $mpi: $1"
	else
		printf 'not ok %s - %s: %s\n' "$number" "$mpi" "$1"
		printf '%s\n' "$2" | head -n 40 | sed 's/^/# /'
	fi
}

compile() { # program, options
	local source=$here/programs/$1
	shift
	case $source in
	*.f90) mpif90."$mpi" -g -O1 -fopenmp "$source" "$@" ;;
	*) mpicc."$mpi" -g -O1 -fopenmp -Wno-stringop-overflow "$source" "$@" ;;
	esac > compile 2>&1 || result "$source compiles" "$(cat compile)"
}

launch() { # ranks, command
	timeout 120 "${launcher[@]}" -n "$@"
}

# The calls in a trace, "NAME COUNT", without those that the programs do not count.
calls_in() {
	winnow report --json "$1" | jq -r '.mpi.calls | group_by(.name)[] | "\(.[0].name) \(map(.calls) | add)"' |
		grep -v 'MPI_\(Init\|Final\)ialized' | sort
}

# What does not add up in a trace: thread 0 was recorded from the first event to the last.
misfits() {
	winnow check "$1" > checked 2>&1 || cat checked
	winnow report --json "$1" | jq -r '
		(.time | to_entries | map(select(.key | endswith("_percent")) | .value // 0) | add) as $percent |
		(.threads[0] | .region_ns + .serial_ns + .serial_mpi_ns + .forking_ns - .nested_forking_ns + .paused_ns + .lost_ns) as $run |
		(.totals.elapsed_ns - $run) as $rest |
		if ($percent - 100 | fabs) > 0.1 then "categories: \($percent) %" else empty end,
		# off the CPU outside regions is in no other key of a thread
		if $rest < -0.001 * .totals.elapsed_ns or $rest > .totals.off_cpu_ns + .totals.blocked_ns + 0.001 * .totals.elapsed_ns
		then "thread 0: \($run) of \(.totals.elapsed_ns)" else empty end,
		if .totals.mpi_ns <= 0 then "no time in MPI" else empty end'
}

# What the report of a job has otherwise than those of its ranks; and whether its times and efficiencies add up.
job_misfits() {
	winnow report --json "$1" > job.json
	for trace in "$1"/r/000/*.winnow; do
		winnow report --json "$trace"
	done | jq -cs '[.[].mpi.calls[]] | group_by(.name) | map([.[0].name, (map(.calls) | add)])' > calls
	jq -c '[.mpi[] | [.name, .calls]] | sort' job.json | diff calls - 2>&1
	jq -r '
		((.totals | [to_entries[] | select(.key != "thread_ns") | .value // 0] | add) - .totals.thread_ns) as $rest |
		if $rest != 0 then "categories: \($rest) ns left" else empty end,
		(([.mpi[].wall_ns] | add) - .totals.mpi_ns) as $mpi |
		if $mpi != 0 then "calls of MPI: \($mpi) ns left" else empty end,
		if .job.mpi_known and .job.ranks == .job.size then empty else "ranks: \(.job)" end,
		(.pop | [.parallel_efficiency - .mpi_parallel_efficiency * .omp_parallel_efficiency,
			.parallel_efficiency - .load_balance * .communication_efficiency,
			.parallel_efficiency - (.process_efficiency + .thread_efficiency - 1)] | map(fabs) | max) as $off |
		if $off > 0.0001 then "efficiencies: \(.pop)" else empty end' job.json
}

check_program() { # name, ranks
	local name=$1 n=$2 wrong='' rank trace
	if [ -f "$here/programs/$name.${3:-c}" ]; then
		compile "$name.${3:-c}" -o "$name"
	else
		compile parts.c "-DPART_${name^^}" -o "$name"
	fi
	launch "$n" "./$name" > plain 2>&1
	COUNTS=$top/$name.counts launch "$n" winnow record -o "$name.winnow.d" "./$name" > out 2> talk
	result "$name prints the same" "$(diff plain out 2>&1)"
	result "$name: one rank says that it is complete" \
		"$(grep -c "$name.winnow.d: rank 0 of $n: .* and MPI, complete\|rank 0 of $n: .*, MPI, complete" talk | grep -qx 1 || cat talk)"
	for rank in $(seq 0 $((n - 1))); do
		trace=$(printf '%s.winnow.d/r/000/%06d.winnow' "$name" "$rank")
		wrong+=$(diff <(sort "$name.counts.$rank") <(calls_in "$trace") 2>&1)
		wrong+=$(misfits "$trace" 2>&1)
	done
	result "$name: the calls of all ranks are those that it counts, and times add up" "$wrong"
	result "$name: the report of the job is that of its ranks" "$(job_misfits "$name.winnow.d" 2>&1)"
	rm -r "$name.winnow.d/s"
	result "$name: the processes of a launcher report the same" \
		"$(launch 3 winnow report --json "$name.winnow.d" 2>&1 | tr -d '\r' | diff job.json - 2>&1)"
}

# With the choice (tools/choice.sh) one of the four; with "all" each of them, and with more ranks.
others=(ring halo collective workers)
choice=$("$here/../../tools/choice.sh")
check_program tasks 2
check_program fortran 2 f90
if [ "$choice" = all ]; then
	for name in "${others[@]}"; do
		check_program "$name" 3
	done
else
	check_program "${others[choice % 4]}" 2
fi
[ -x ring ] || compile parts.c -DPART_RING -o ring

result 'calls from Fortran have the place of the calling code' "$(winnow report --json fortran.winnow.d/r/000/000001.winnow |
	jq -r '.mpi.calls[] | select(.name == "MPI_Send" or .name == "MPI_Allreduce") | select(.file // "" | endswith("fortran.f90") | not)')"
result 'messages have their bytes' "$(winnow report --json fortran.winnow.d/r/000/000001.winnow |
	jq -r '[.mpi.calls[] | select(.name == "MPI_Send" or .name == "MPI_Recv") | [.name, .calls, .messages, .bytes]] | sort |
		select(. != [["MPI_Recv", 3, 3, 24], ["MPI_Send", 3, 3, 24]])')"
result 'the rank, the ABI and the thread level are those of MPI' "$(jq -c '[.mpi.abi, .mpi.rank, .mpi.size, .mpi.required, .mpi.finalized]' \
	tasks.winnow.d/r/000/000001.json | diff - <(echo "[\"$abi\",1,2,\"multiple\",true]"))"
result 'MPI in tasks is no work of them' "$(winnow export --format csv tasks.winnow.d/r/000/000000.winnow | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$column["kind"] == "task" && !($column["mpi_ns"] > 0 && $column["exec_ns"] >= $column["work_ns"] + $column["mpi_ns"])')"

# Sleeping ranks, whose efficiencies follow from what their own clocks say.
compile parts.c -DPART_KNOWN -o known
launch 2 winnow record -o known.winnow.d ./known 150 > out 2> talk
winnow report --json known.winnow.d > known.json 2>> talk
result 'efficiencies of sleeping ranks are those computed by hand, within 1 %' "$(awk '
	function max(a, b) { return a > b ? a : b }
	function show(name, value) { printf "%s %.6f\n", name, value }
	$1 == "known" { r = max(r, $3); x[n++] = $3 - $4; su += $5; o += $6; u += $5 + $7 + $8; ou += $7 + $8
		max_u = max(max_u, max($5 + $7, $8)); max_p = max(max_p, $5 + $6) }
	END {
		avg_x = (x[0] + x[1]) / 2; max_x = max(x[0], x[1]); avg_u = u / 4
		show("parallel_efficiency", avg_u / r); show("load_balance", avg_u / max_u); show("communication_efficiency", max_u / r)
		show("mpi_parallel_efficiency", avg_x / r); show("mpi_load_balance", avg_x / max_x)
		show("mpi_communication_efficiency", max_x / r)
		show("omp_parallel_efficiency", avg_u / avg_x)
		show("process_efficiency", (o + su) / 2 / r); show("process_load_balance", 1 - (max_p - (o + su) / 2) / r)
		show("thread_efficiency", 1 - ((o + su) / 2 - avg_u) / r); show("serial_region_efficiency", 1 - (su / 2 - su / 4) / r)
		show("omp_region_efficiency", 1 - (o / 2 - ou / 4) / r)
	}' out > hand
	jq -r '.pop | to_entries[] | "\(.key) \(.value)"' known.json | awk 'FNR == NR { hand[$1] = $2; next }
		$1 in hand { n++; if ($2 < hand[$1] * 0.99 || $2 > hand[$1] * 1.01) print $1, $2, "by hand", hand[$1] }
		END { if (n != 12) print n, "of 12" }' hand - 2>&1; [ -s hand ] || cat talk)"
result 'their messages are matched: the network takes no time, and the critical path goes through the ranks as the sleeps do' "$(jq -r '
	(.ranks | map(.elapsed_ns - .mpi_ns)) as $x | .job as $job |
	# it may end on either rank
	if $job.messages != 2 or $job.messages_unmatched != null or $job.critical_path.switches < 1
	then "job: \($job)" else empty end,
	# rank 1 up to the first message (about half of it, more on a busy machine), then rank 0
	(.ranks | map(.critical_path_outside_mpi_ns)) as $path |
	if ($path[0] - $x[0] | fabs) > 0.01 * $x[0] or $path[1] < 0.3e9 or $path[1] > 0.8 * $x[1] then "path: \($path) of \($x)" else empty end,
	if (($path | add) - $job.critical_path.outside_mpi_ns | fabs) > 0 then "sum" else empty end,
	if ($job.ideal_ns - $job.critical_path.outside_mpi_ns | fabs) > 0.01 * $job.ideal_ns then "ideal: \($job)" else empty end,
	(.pop | .mpi_serialisation_efficiency * .mpi_transfer_efficiency - .mpi_communication_efficiency | fabs) as $off |
	if $off > 0.0001 then "efficiencies: \(.pop)" else empty end' known.json 2>&1)"

# Polling, and calls that the thread level forbids.
compile parts.c -DPART_POLLS -o polls
COUNTS=$top/polls.counts launch 2 winnow record -o polls.winnow.d ./polls > out 2> talk
result 'a loop of MPI_Test is few records, and all of its calls' "$(diff <(sort polls.counts.1) <(calls_in polls.winnow.d/r/000/000001.winnow) 2>&1
	n=$(winnow dump polls.winnow.d/r/000/000001.winnow | grep -c MPI_BEGIN)
	[ "$n" -ge 5 ] && [ "$n" -lt 2000 ] || echo "$n records"
	# on a busy machine it is off the CPU for part of that time
	winnow report --json polls.winnow.d/r/000/000001.winnow | jq -c '.time |
		select(.mpi_percent < 10 or (.mpi_percent + .off_cpu_percent) / 100 * .thread_ns < 0.25e9)')"
result 'the time of MPI_Test is that which MPI_Irecv waited' "$(winnow report --json polls.winnow.d/r/000/000001.winnow | jq -c '
	[(.mpi.calls | map(select(.name == "MPI_Irecv").waited_ns) | add), (.mpi.calls | map(select(.name == "MPI_Test").wall_ns) | add)] |
	select(.[0] <= 0 or .[0] > .[1])')"
result 'a receive from any source, by MPI_Test without a status, is not matched, and the report says so' "$(winnow report --json polls.winnow.d |
	jq -r '.job.messages_unmatched' | diff - <(echo 'rank 1: the sender of a message is unknown'))"
for level in 1 2; do
	launch 2 winnow record -o "level$level.winnow.d" ./polls $level > out 2> talk
	winnow report --json "level$level.winnow.d/r/000/000001.winnow" > level.json 2>> talk
	result "calls that the thread level forbids are counted and named: level $level" "$(
		jq -c '[.mpi.thread_level_provided, .mpi.foreign_calls, .mpi.overlapping_calls]' level.json |
			diff - <([ $level = 1 ] && echo '["funneled",1,1]' || echo '["serialized",0,1]')
		jq -r '.fidelity[] | select(.construct == "MPI thread level").note' level.json | grep -q 'first MPI_Comm_size, .* forbids' || cat level.json)"
done

# The launcher is recorded: the ranks write their manifests themselves.
winnow record -o launched.winnow.d "${launcher[@]}" -n 2 ./ring > out 2> talk
result 'a launcher that is recorded: all ranks are there, and one line says so' \
	"$(grep -q 'launched.winnow.d: 2 of 2 ranks: .* complete' talk || cat talk
	jq -c '[.rank, .state, .trace, .mpi.rank, .end.exit_status]' launched.winnow.d/r/000/00000?.json |
		diff - <(printf '[0,"recorded","000000.winnow",0,0]\n[1,"recorded","000001.winnow",1,0]\n'))"

# not as two commands with ":" between, where mpirun of Open MPI 5.0.7 itself crashes
# shellcheck disable=SC2016
launch 2 sh -c '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] || set -- true
	exec winnow record -o mixed.winnow.d "$@"' mixed "$build/tests/programs/cli-omp.c.gcc" > out 2> talk
result 'programs of one job that differ, one without OpenMP' "$(jq -c '[.rank, .size, .state]' mixed.winnow.d/r/000/00000?.json |
	diff - <(printf '[0,2,"recorded"]\n[1,2,"no_openmp"]\n'))"

compile parts.c -DPART_ABORT -o abort
launch 2 winnow record -o abort.winnow.d ./abort > out 2>&1
# Hydra kills winnow, too, so only the trace has it for certain.
result 'MPI_Abort leaves all traces, and its argument' "$(winnow report --json abort.winnow.d/r/000/000001.winnow |
	jq -c '[.mpi.rank, .mpi.abort_code]' | diff - <(echo '[1,4]')
	winnow check abort.winnow.d/r/000/000000.winnow > out 2>&1 || cat out
	winnow check abort.winnow.d/r/000/000001.winnow > out 2>&1 || cat out)"

compile parts.c -DPART_TOOL -o tool
launch 2 ./tool > plain 2>&1
launch 2 winnow record -o tool.winnow.d ./tool > out 2> talk
result 'a PMPI tool in the program sees what it sees alone, and its calls are recorded once' "$(diff plain out
	calls_in tool.winnow.d/r/000/000001.winnow | grep -x 'MPI_Barrier 5' > out || echo 'not 5 barriers')"

compile parts.c -DPART_LOCAL -o local -ldl
compile parts.c -DPART_MODULE -shared -fPIC -o module.so
launch 2 winnow record -o local.winnow.d ./local ./module.so > out 2> talk
result 'a library with MPI that is opened locally' "$(grep -vx 'module 2 2' out
	calls_in local.winnow.d/r/000/000001.winnow | grep -x 'MPI_Allreduce 1' > out || cat talk)"

# An MPI that is linked statically, where there is one: with what the shared one needs.
static=$(gcc -print-file-name=libmpich.a)
if [ "$mpi" = mpich ] && [ -f "$static" ] && needs=$(ldd "$(gcc -print-file-name=libmpich.so)" | awk '$3 ~ /^\// { print $3 }') &&
	gcc $(mpicc.mpich -show | grep -o -- '-I[^ ]*') -g -O1 -fopenmp -DPART_RING "$here/programs/parts.c" "$static" $needs -o inside > compile 2>&1; then
	launch 2 winnow record -o inside.winnow.d ./inside > out 2> talk
	result 'an MPI inside the program: a line says that its calls are not recorded' "$(grep -vx 'ring 2 4 1.000' out
		[ "$(grep -c 'inside: MPI is linked statically' talk)" = 1 ] || cat talk
		winnow report inside.winnow.d | grep -q 'the time in MPI was not measured' || echo 'no limitation')"
fi

# Rank 1 has a file system of its own, which is too small for a trace.
mkdir -p full.winnow.d/r/000
if unshare -m mount -t tmpfs -o size=96k none full.winnow.d/r/000 2> /dev/null; then
	timeout 60 "${launcher[@]}" -n 1 winnow record -o full.winnow.d ./ring : -n 1 unshare -m sh -c \
		'mount -t tmpfs -o size=96k none full.winnow.d/r/000 && exec winnow record -o full.winnow.d ./ring' > out 2> talk
	result 'a full disk on one rank: the program goes on, and a line says so' "$(grep -vx 'ring 2 4 1.000' out
		grep -q 'rank 1 of 2: .*no space' talk || cat talk; winnow check full.winnow.d/r/000/000000.winnow > out 2>&1 || cat out)"
else
	number=$((number + 1))
	echo "ok $number - $mpi: a full disk on one rank # SKIP no file system can be mounted here"
fi
# --- two nodes: each has namespaces of its own, so its own host name, process ids, and clocks. A script is the remote shell of the
# launcher, and starts what the launcher asks for with an environment of its own. Node b's wall clock is four seconds ahead.
cat > node.sh << 'END'
#!/bin/sh
# node.sh NODE COMMAND...
while case $1 in -*) true ;; *) false ;; esac; do shift; done
node=$1
shift
case $node in
node-a) up=1000 skew=0 ;;
*) up=700000 skew=4000000000 ;;
esac
exec env -i PATH="$PATH" HOME=/root TOP="$TOP" BOOTS="$BOOTS" NODE="$node" SKEW_NS=$skew COMMAND="$*" \
	unshare --uts --mount --pid --ipc --time --monotonic $up --boottime $up --fork --kill-child --mount-proc sh -c '
	hostname "$NODE" && cd "$TOP" &&
	if [ "$BOOTS" = own ]; then mount --bind "boot.$NODE" /proc/sys/kernel/random/boot_id; fi &&
	LD_PRELOAD=$TOP/skew.so exec sh -c "$COMMAND"'
END
chmod +x node.sh
export TOP=$top BOOTS=own
cat /proc/sys/kernel/random/uuid > boot.node-a
cat /proc/sys/kernel/random/uuid > boot.node-b
compile parts.c -DPART_SKEW -shared -fPIC -o skew.so
if [ "$mpi" = openmpi ]; then
	printf 'node-%s slots=2\n' a b > nodes
	on_nodes=("${launcher[@]::${#launcher[@]}-3}" --hostfile nodes --mca plm_rsh_agent "$top/node.sh" --mca oob_tcp_if_include lo
		--mca btl_tcp_if_include lo -x OMP_NUM_THREADS -x WINNOW_CALIBRATE)
	n=4 per_node=2
else
	on_nodes=("${launcher[@]}" -launcher ssh -launcher-exec "$top/node.sh" -hosts node-a,node-b -ppn 1)
	n=2 per_node=1
fi

# MPICH 4.0.2 hangs in MPI_Finalize of processes on several nodes at times (about one run of fifteen), with or without being
# recorded: a rank waits for the end of its connection, and the other for the launcher. A run that does not hang takes a
# second, or ten on a busy machine, where ranks that poll take the CPU from each other.
launch_on_nodes() { # directory of the job or "", command
	local patience dir=$1
	shift
	for patience in 15 30 60 120; do
		[ -z "$dir" ] || rm -rf "$dir"
		timeout $patience "$@" && return
		[ $? = 124 ] || return 1
	done
	return 124
}

manifests_of() { # what node.sh starts: host, ranks in order, none lost
	jq -c '[.host, .rank, .local_rank, .size, .state]' "$1"/r/000/*.json
}
manifests_expected() {
	for ((i = 0; i < n; i++)); do
		echo "[\"node-$([ $i -lt $per_node ] && echo a || echo b)\",$i,$((i % per_node)),$n,\"recorded\"]"
	done
}

# By how much the begins of ranks in a report are off: the wall clocks without the skew are those of one machine. The first event with a
# time follows the start of the trace.
begin_errors() { # directory, nanoseconds that are allowed
	local rank trace first
	for ((rank = 0; rank < n; rank++)); do
		trace=$(printf '%s/r/000/%06d.winnow' "$1" $rank)
		first=$(winnow dump "$trace" | awk '/^start / { start = $2 } $1 ~ /^[0-9]+$/ && $2 ~ /^[A-Z_]+$/ && (!first || $1 < first) { first = $1 }
			END { printf "%.0f %.0f", start, first }')
		echo "$rank $first $([ $rank -lt $per_node ] && echo 0 || echo 4000000000)"
	done > truth
	winnow report --json "$1" | jq -r '.ranks[] | "\(.rank) \(.begin_ns)"' | sort -n | paste -d' ' - truth |
		awk -v most="$2" '{ true_ns = $4 - 1.7e18 + $5 - $6 - $2; if (NR == 1) base = true_ns
			off = true_ns - base; if (off < -most || off > most) print "rank", $1, "begins", off, "ns off, of", most }
			END { if (NR < 2) print NR, "ranks" }'
}

if ! "$top/node.sh" node-b 'grep -q "^7[0-9]\{5\}" /proc/uptime && [ "$(hostname)" = node-b ] && cmp /proc/sys/kernel/random/boot_id boot.node-b' > talk 2>&1; then
	number=$((number + 1))
	echo "ok $number - $mpi: two nodes # SKIP there are no namespaces for them here: $(head -n 1 talk)"
elif ! launch_on_nodes '' "${on_nodes[@]}" -n $n ./ring 20 > plain 2> talk; then
	number=$((number + 1))
	echo "ok $number - $mpi: two nodes # SKIP the launcher does not reach them, without recording: $(tail -n 1 talk)"
else
	launch_on_nodes nodes.winnow.d "${on_nodes[@]}" -n $n "$build/winnow" record -o nodes.winnow.d ./ring 20 > out 2> talk
	result 'two nodes: one directory with all ranks, each with its host' "$(diff <(tail -n 1 plain) <(tail -n 1 out)
		manifests_of nodes.winnow.d | diff <(manifests_expected) - || cat talk
		find nodes.winnow.d -type f | grep -vc '/r/000/0' | grep -qx 1 || find nodes.winnow.d
		find nodes.winnow.d -name '*.winnow' | wc -l | grep -qx $n || find nodes.winnow.d)"
	winnow report --json nodes.winnow.d > job.json 2> talk
	error_ns=$(jq '.clocks.uncertainty_ns // 0' job.json)
	result 'two nodes: messages are matched, and relate the clocks' "$(jq -r --argjson n $n '
		if .job.hosts != 2 or .job.ranks != $n or .job.messages_unmatched != null or .job.critical_path == null then .job else empty end,
		if .clocks.nodes != 2 or .clocks.one_clock or (.clocks.by_messages | not) then .clocks else empty end,
		# what the clock of one node is ahead is found, within the error that is stated
		if (.clocks.wall_skew_ns - 4e9 | fabs) > .clocks.uncertainty_ns + 5e7 then .clocks else empty end' job.json; cat talk
		begin_errors nodes.winnow.d $((error_ns + 50000000)))"
	result 'two nodes: the text names them, and how far their clocks were apart' "$(winnow report -v nodes.winnow.d > text 2>&1
		tr -s ' \n' ' ' < text | grep -E ": $n ranks on 2 nodes, .* node-b .*wall clocks were up to (3\.9|4\.0)[0-9]* s apart" > out || tail -n 12 text)"
	rm -r nodes.winnow.d/s
	result 'two nodes: processes on both report the same' "$(launch_on_nodes '' "${on_nodes[@]}" -n $n "$build/winnow" report --json nodes.winnow.d 2>&1 |
		tr -d '\r' | diff job.json - 2>&1)"

	# The same boot, as of containers on one node: their monotonic clocks are related exactly.
	export BOOTS=one
	launch_on_nodes one.winnow.d "${on_nodes[@]}" -n $n "$build/winnow" record -o one.winnow.d ./ring 20 > out 2> talk
	result 'containers of one node, whose monotonic clocks are moved: one clock, related exactly' "$(
		winnow report --json one.winnow.d > job.json 2> talk
		jq -c 'select(.job.hosts != 1 or .job.messages_unmatched != null or (.clocks.one_clock | not) or .clocks.uncertainty_ns != 0) | .job, .clocks' \
			job.json
		begin_errors one.winnow.d 50000000; cat talk)"
	export BOOTS=own

	# The launcher is recorded: its ranks on other nodes cannot report to it. Open MPI passes variables on if it is asked.
	variables=()
	[ "$mpi" = mpich ] || variables=(-x LD_PRELOAD -x WINNOW_OUT -x WINNOW_JOB -x WINNOW_JOB_DIR)
	launch_on_nodes far.winnow.d winnow record -o far.winnow.d "${on_nodes[@]}" "${variables[@]}" -n $n ./ring 20 > out 2> talk
	result 'a launcher that is recorded: ranks on other nodes are in its line' "$(grep -q "far.winnow.d: $n of $n ranks: .* complete" talk || cat talk)"
	if [ "$mpi" = openmpi ]; then
		for _ in 1 2; do
			"$top/node.sh" node-a "winnow record -o both.winnow.d sh -c $build/tests/programs/cli-omp.c.gcc" > out 2>&1 &
		done
		wait
		result 'two containers whose host and process have the same name and number: two jobs' "$(
			[ "$(find both.winnow.d -name job.json | wc -l)" = 2 ] && [ "$(find both.winnow.d -name '*.json' | wc -l)" = 4 ] &&
				[ "$(find both.winnow.d -name '*.winnow' | wc -l)" = 2 ] || find both.winnow.d)"
		winnow record -o none.winnow.d "${on_nodes[@]}" -n $n ./ring 20 > out 2> talk
		result 'a launcher that passes no variables on: the line says what to do' \
			"$(grep -q "no rank: nothing recorded: .*put 'winnow record' behind it" talk || cat talk)"
		winnow record -o some.winnow.d "${on_nodes[@]}" "${variables[@]}" -n 1 ./ring 20 : -n 1 env -u LD_PRELOAD ./ring 20 > out 2> talk
		result 'a rank that is not recorded is counted and named' "$(winnow report --json some.winnow.d 2>&1 |
			jq -c '[.job.ranks, .job.size, [.absent[].rank]]' | diff <(echo '[1,2,[1]]') -)"
	fi
fi
echo "1..$number"
