# A folded task graph has a dependence between two groups as often as there are some, and says how many
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
command -v xmllint > /dev/null || { echo "xmllint is missing"; exit 77; }
programs=${PROGRAMS%/tests/*}/bench/programs
# what a picture says
drawn() {
	sed -n 's/.*<title>\([0-9,]*\) \(dependence\|made here\).*/\1 \2/p' "$1" | tr -d , | sort
}
# The same from the tables, where tasks are as many nodes as they have lines, on the critical path or not.
# What a gate stands between counts for each before it and each behind.
counted() {
	winnow export "$1" --format nodes > nodes
	winnow export "$1" --format edges > edges
	awk -F, '
		FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; file++; next }
		file == 1 { of[$1] = $column["line"] "/" $column["on_crit_path"]; next }
		$column["rogue"] == "true" { if (of[$1] != of[$2]) made[of[$1] " " of[$2]]++; next }
		$column["kind"] != "depend" { next }
		$1 ~ /^d/ { behind[$1] = behind[$1] " " of[$2]; next }
		$2 ~ /^d/ { before[$2] = before[$2] " " of[$1]; next }
		of[$1] != of[$2] { n[of[$1] " " of[$2]]++ }
		END {
			for (gate in before) {
				a = split(before[gate], from, " "); b = split(behind[gate], to, " ")
				for (i = 1; i <= a; i++) for (j = 1; j <= b; j++)
					if (from[i] != to[j]) n[from[i] " " to[j]]++
			}
			for (pair in n) print n[pair], "dependence"
			for (pair in made) print made[pair], "made here"
		}' nodes edges | sort
}
cat > gates.c << 'END'
int
main(void)
{
	int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 20; i++) {
#pragma omp task depend(in : x) shared(x)
			for (volatile int k = 0; k < 100; k++)
				;
#pragma omp task depend(in : x, y) shared(x, y)
			for (volatile int k = 0; k < 200; k++)
				;
		}
		for (int i = 0; i < 10; i++) {
#pragma omp task depend(mutexinoutset : x) shared(x, y)
			{
				x++;
#pragma omp task shared(y)
#pragma omp atomic
				y++;
			}
		}
	}
	return x != 30;
}
END
gcc -std=gnu17 -O1 -g -fopenmp -o gates gates.c || { echo "no OpenMP"; exit 77; }
gcc -std=gnu17 -O1 -g -fopenmp -o depend "$programs/depend.c"
OMP_NUM_THREADS=2 winnow record -o gates.winnow ./gates > /dev/null 2> /dev/null
OMP_NUM_THREADS=2 winnow record -o depend.winnow ./depend 300 20 > /dev/null 2> /dev/null
winnow export gates.winnow --format edges | grep -q '^d\.' || echo "no gates"
winnow export gates.winnow --format edges | grep -q 'true$' || echo "none made here"
for run in gates depend; do
	winnow export $run.winnow --format taskgraph --folded -o $run.svg
	xmllint --noout $run.svg
	drawn $run.svg > drawn
	counted $run.winnow > counted
	[ -s counted ] || echo "$run: nothing counted"
	diff counted drawn && echo "$run: as counted"
done
grep -c 'waits for, by a depend clause.*' gates.svg
grep -c 'from its creator' gates.svg
grep -c 'from its creator' depend.svg || true
# of grains, one by one; as many as there are edges
"$MAKE_RUN" depend > few.winnow
winnow export few.winnow --format taskgraph --folded -o few.svg
drawn few.svg | awk '{ n += $1 } END { print n, "dependences" }'
winnow export few.winnow --format edges | grep -c ',depend,'
# within one circle there are none
winnow export depend.winnow --format taskgraph --folded --group "$(winnow tree --json --depth 5 depend.winnow | jq -r '[.nodes[] | select(.kind == "grain")][-1].id')" | grep -c 'class="a"' || true
# and in a view of all grains: those before a gate with those behind it
for run in gates depend; do
	winnow export $run.winnow --format edges | awk -F, '
		!/,depend,/ { next }
		$1 ~ /^d/ { behind[$1]++; next }
		$2 ~ /^d/ { before[$2]++; next }
		{ n++ }
		END { for (gate in before) n += before[gate] * behind[gate]; print n }' > counted
	winnow export $run.winnow --folded --depth 100 --max-nodes 100000 -o $run.dot
	sed -n '/style=dashed/{s/.*label="\([0-9,]*\)".*/\1/p;t;s/.*/1/p}' $run.dot | tr -d , |
		awk '{ n += $1 } END { print n }' | diff counted - && echo "$run: as many in a view of all grains"
done
#= stdout
#| gates: as counted
#| depend: as counted
#| 1
#| 1
#| 0
#| 6 dependences
#| 6
#| 0
#| gates: as many in a view of all grains
#| depend: as many in a view of all grains
