# Groups of a search that prunes by time: those that its own log says made another number of tasks, and no others
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
# libomp runs tasks at once on one thread, and so makes others than on two; libgomp rarely does
for cc in "$CLANG" gcc; do
	command -v ${cc%% *} > /dev/null && $cc -std=gnu17 -O1 -g -fopenmp -o floorplan \
		"$PROGRAMS/../../../bench/programs/floorplan.c" 2> why && ./floorplan > /dev/null && break
	rm -f floorplan
done
test -e floorplan || { echo "no compiler with OpenMP"; exit 77; }
n_changes=0
for seed in 7 2 3 1; do
	for threads in 1 2; do
		OMP_NUM_THREADS=$threads winnow record -o $threads.winnow \
			./floorplan 12 7 --prune --seed=$seed --log=log > /dev/null 2> /dev/null
		sort log > $threads.log
	done
	# who is in both logs with another number of children
	join 1.log 2.log | awk '$2 != $3 {
		print "P0.s0." $1 "/F0", $2 == 0 ? "created" : $3 == 0 ? "vanished" : "changed", $2, $3
	}' | sort > expected
	winnow diff --json 1.winnow 2.winnow > diff.json
	jq -r '.groups | (.changed[] | [.id, "changed", .members[0], .members[1]]),
		(.created[] | [.id, "created", 0, .members[1]]),
		(.vanished[] | [.id, "vanished", .members[0], 0]) | join(" ")' diff.json | sort > found
	cmp expected found || diff expected found
	n=$(wc -l < expected)
	n_changes=$((n_changes + n))
	jq -r ".word, .structure.is_same, .differs.threads" diff.json |
		tr "\n" " " | grep -q "$([ "$n" -eq 0 ] && echo "work inflation true true" || echo "other input false true")"
	# and the other way round
	winnow diff --json 2.winnow 1.winnow | jq -r '.groups | .created[], .vanished[], .changed[] | .id' | sort > back
	cut -d " " -f 1 expected | sort | cmp - back
	[ "$n_changes" -lt 60 ] || break
done
[ "$n_changes" -gt 0 ] || { echo "nothing was pruned otherwise"; exit 77; }
