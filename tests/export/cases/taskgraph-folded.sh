# A task graph that is too large is drawn in few circles, in which each grain is once
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
command -v xmllint > /dev/null || { echo "xmllint is missing"; exit 77; }
programs=${PROGRAMS%/tests/*}/bench/programs
# grains in circles: what groups say, and one for each circle of a grain
count() {
	xmllint --noout "$1"
	tr ',' ' ' < "$1" | awk '
		/^[0-9 ]+ grains$/ { text = $0; gsub(/[^0-9]/, "", text); n += text }
		{ n += gsub(/<title>(task|taskloop|chunk|section) [0-9]+ \(/, "") }
		END { print n + 0 }'
}
nodes() {
	echo $(($(grep -c '<circle class="t' "$1") + $(grep -c '<path class="[fj]' "$1")))
}
for run in tree loop hostile depend; do
	"$MAKE_RUN" $run > $run.winnow 2> /dev/null || continue
	winnow report --json $run.winnow > $run.json
	for most in 1 20 10000; do
		winnow export $run.winnow --format taskgraph --folded --max-nodes $most -o $run-$most.svg
		[ "$(count $run-$most.svg)" = "$(jq .graph.grains $run.json)" ] || echo "$run $most: $(count $run-$most.svg) grains"
	done
done
# from 10,000 nodes on without being asked, along a red path from start to end
gcc -std=gnu17 -O1 -g -fopenmp -o fib "$programs/fib.c" || { echo "no OpenMP"; exit 77; }
gcc -std=gnu17 -O1 -g -fopenmp -o sparselu "$programs/sparselu.c" -lm
OMP_NUM_THREADS=2 winnow record -o fib.winnow ./fib 19 19 > /dev/null 2> /dev/null
OMP_NUM_THREADS=2 winnow record -o lu.winnow ./sparselu 30 2 > /dev/null 2> /dev/null
for run in fib lu; do
	winnow report --json $run.winnow > $run.json
	winnow export $run.winnow --format taskgraph --folded -o $run.svg
	winnow export $run.winnow --format taskgraph --folded | cmp - $run.svg
	[ "$(count $run.svg)" = "$(jq .graph.grains $run.json)" ] || echo "$run: $(count $run.svg) grains"
	[ "$(nodes $run.svg)" -le 230 ] && [ "$(nodes $run.svg)" -ge 60 ] || echo "$run: $(nodes $run.svg) nodes"
	sed -n '/e critical/,/<.g>/p' $run.svg | grep -c '<path' | awk '{ print ($1 >= 3 ? "a red path" : "no path") }'
done
winnow export fib.winnow --format taskgraph | cmp - fib.svg && echo "folded by itself"
winnow export fib.winnow --format taskgraph --max-nodes 50 | grep -c '<circle class="t' | awk '{ print ($1 <= 60 ? "few circles" : $1) }'
# a part of it, and what does not go together
winnow export fib.winnow --format taskgraph --folded --group "$(winnow tree --json --depth 5 fib.winnow | jq -r '.nodes[-1].id')" -o part.svg
xmllint --noout part.svg
grep -c '>only ' part.svg
winnow export fib.winnow --format taskgraph --folded --depth 3 || echo $?
winnow export fib.winnow --format csv --folded || echo $?
#= stdout
#| a red path
#| a red path
#| folded by itself
#| few circles
#| 1
#| 2
#| 2
#= stderr
#| winnow export: --depth, --problem, --critical: only with --folded of dot or svg
#| winnow export: --folded: only dot, svg and taskgraph; graphml has --nested
