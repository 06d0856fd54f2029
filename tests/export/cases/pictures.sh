#: pictures
# The work map and the structure are well-formed SVG, of the whole and of a group, by problem and by place
"$MAKE_RUN" tree > tree.winnow
for options in "--map" "--map --by-place" "--structure" "--structure --group P0.s0.1/L" \
	"--map --view parallel_benefit"; do
	# shellcheck disable=SC2086
	winnow export tree.winnow -o picture.svg $options
	python3 - picture.svg <<'CHECK'
import sys
import xml.etree.ElementTree as xml
svg = '{http://www.w3.org/2000/svg}'
root = xml.parse(sys.argv[1]).getroot()
width, height = float(root.get('width')), float(root.get('height'))
boxes = [r for r in root.iter(svg + 'rect') if r.get('x')]
inside = all(-9 <= float(r.get('x')) <= width + 9 and -9 <= float(r.get('y')) <= height + 9 for r in boxes)
print('drawn' if inside and len(boxes) > 3 else 'not drawn')
CHECK
done
#= stdout
#| drawn
#| drawn
#| drawn
#| drawn
#| drawn
#: picture-options
# Options of pictures that cannot be kept
"$MAKE_RUN" tree > tree.winnow
for options in "--format dot --map" "--format svg --map --structure" "--format svg --by-place" \
	"--format svg --map --view slowness" "--format svg --structure --group P9"; do
	status=0
	# shellcheck disable=SC2086
	winnow export tree.winnow $options || status=$?
	echo "$status"
done
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#= stderr
#| winnow export: --map, --structure: pictures of their own in svg, of the reduced form
#| winnow export: --map, --structure: one at a time
#| winnow export: --by-place: only with --map or --structure
#| winnow export: tree.winnow: --view 'slowness': no such problem; winnow report --json lists them; nothing exported
#| winnow export: tree.winnow: no grain is called 'P9'; the root is R/F0; nothing exported
#: taskgraph
# --format taskgraph: circles of as much area as grains weigh, the same bytes each time
for run in tree loop hostile depend; do
	"$MAKE_RUN" $run > $run.winnow 2> /dev/null || continue
	winnow export $run.winnow --format taskgraph -o $run.svg
	winnow export $run.winnow --format taskgraph | cmp - $run.svg
	xmllint --noout $run.svg
	echo "$run: $(grep -c '<circle class="t' $run.svg) circles, $(grep -c '<path class="[fj]' $run.svg) forks and joins, $(sed -n '/e critical/,/<.g>/p' $run.svg | grep -c '<path') red edges"
done
winnow export tree.winnow --format taskgraph
winnow export tree.winnow --format taskgraph --weight time | sed -n 's/.*\(<text.*5 grains.*\)/\1/p'
winnow export tree.winnow --format taskgraph --max-nodes 10 | grep -c '<circle class="r'
winnow export tree.winnow --format taskgraph --form fragments || echo $?
#= stdout
#| tree: 11 circles, 8 forks and joins, 10 red edges
#| loop: 15 circles, 12 forks and joins, 10 red edges
#| hostile: 11 circles, 8 forks and joins, 10 red edges
#| depend: 12 circles, 6 forks and joins, 10 red edges
#| <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 794" width="780" height="794">
#| <style>text{font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2933}.e path{fill:none;stroke-width:1.1}.create path{stroke:#2E8B57}.sync path{stroke:#FF7F50}.continue path,.scope path{stroke:#52606d}.rogue{stroke-dasharray:2 3}.depend path{stroke:#7B4FB5;stroke-dasharray:5 3}.d{fill:#7B4FB5}.dc{fill:#7B4FB5;stroke:#E00000;stroke-width:1.6}.critical path,path.critical{stroke:#E00000;stroke-width:2.4}.g rect{stroke:#3e4c59;stroke-width:.8}.g .c{stroke:#E00000;stroke-width:2.4}.f{fill:#2E8B57}.j{fill:#FF7F50}.s{fill:#DEB887;stroke:#3e4c59;stroke-width:.8}.fc,.jc{stroke:#E00000;stroke-width:1.6}.fc{fill:#2E8B57}.jc{fill:#FF7F50}</style>
#| <style>.t{stroke:#3e4c59;stroke-width:.8}.r{fill:none;stroke:#3e4c59;stroke-width:.8}.w{stroke-dasharray:3 2}</style>
#| <rect width="100%" height="100%" fill="#ffffff"/>
#| <text x="24" y="40" font-size="19" font-weight="600">./fake 10</text>
#| <text x="24" y="64" font-size="15" text-anchor="start">5 grains by work: 11.8 µs, span 6.9 µs, exposed parallelism 1.71</text>
#| <rect x="24" y="81" width="20" height="16" rx="3" fill="#8FB4D9" stroke="#3e4c59" stroke-width=".8"/><text x="54" y="94" font-size="15" text-anchor="start">0x1000</text><text x="380" y="94" font-size="15" text-anchor="end">1 implicit task</text><text x="470" y="94" font-size="15" text-anchor="end">1.0 µs</text>
#| <rect x="24" y="105" width="20" height="16" rx="3" fill="#F2D479" stroke="#3e4c59" stroke-width=".8"/><text x="54" y="118" font-size="15" text-anchor="start">0x3000</text><text x="380" y="118" font-size="15" text-anchor="end">3 grains</text><text x="470" y="118" font-size="15" text-anchor="end">7.9 µs</text>
#| <rect x="24" y="129" width="20" height="16" rx="3" fill="#B79BC9" stroke="#3e4c59" stroke-width=".8"/><text x="54" y="142" font-size="15" text-anchor="start">0x3010</text><text x="380" y="142" font-size="15" text-anchor="end">2 grains</text><text x="470" y="142" font-size="15" text-anchor="end">2.7 µs</text>
#| <path class="f" d="M34 160l5.5 10h-11z"/>
#| <path class="j" d="M104 160m-5.5 0h11l-5.5 10z"/>
#| <path class="critical" d="M168 165h28"/>
#| <text x="46" y="170" font-size="15" text-anchor="start">fork</text><text x="116" y="170" font-size="15" text-anchor="start">join</text><text x="203" y="170" font-size="15" text-anchor="start">critical path</text><circle class="t w" cx="327" cy="165" r="7.0" fill="#ffffff"/>
#| <text x="342" y="170" font-size="15" text-anchor="start">a thread's own part of a region</text>
#| <g class="e create"><path class="rogue" d="M28 189h34"/></g><text x="70" y="194" font-size="15" text-anchor="start">from its creator, which did not wait for it</text>
#| <circle class="t" cx="56" cy="245" r="32.9" fill="#ffffff"/>
#| <text x="96" y="250" font-size="15" text-anchor="start">5.0 µs</text>
#| <circle class="t" cx="188" cy="245" r="14.7" fill="#ffffff"/>
#| <text x="210" y="250" font-size="15" text-anchor="start">1.0 µs</text>
#| <circle class="t" cx="294" cy="245" r="6.6" fill="#ffffff"/>
#| <text x="308" y="250" font-size="15" text-anchor="start">200 ns</text>
#| <circle class="t" cx="381" cy="245" r="3.0" fill="#ffffff"/>
#| <text x="392" y="250" font-size="15" text-anchor="start">at most 41 ns</text>
#| <g class="e create">
#| <path d="M389 453C389 468 438 468 438 483"/>
#| <path d="M389 453C389 468 480 468 480 483"/>
#| <path class="rogue" d="M438 508C438 495 480 495 480 483"/>
#| <path d="M348 539C348 551 391 551 391 563"/>
#| </g>
#| <g class="e sync">
#| <path d="M438 508V669C438 684 389 684 389 699"/>
#| <path d="M480 513V669C480 684 389 684 389 699"/>
#| <path d="M391 605V635C391 647 348 647 348 659"/>
#| </g>
#| <g class="e continue">
#| </g>
#| <g class="e scope">
#| </g>
#| <g class="e depend">
#| </g>
#| <g class="e critical">
#| <path d="M389 377V395"/>
#| <path d="M389 453C389 468 348 468 348 483"/>
#| <path d="M348 539C348 551 320 551 320 563"/>
#| </g>
#| <g class="e critical">
#| <path d="M320 635C320 647 348 647 348 659"/>
#| </g>
#| <g class="e critical">
#| <path d="M389 737V755"/>
#| <path d="M389 709V727"/>
#| <path d="M348 669C348 684 389 684 389 699"/>
#| </g>
#| <g class="e critical">
#| <path d="M389 349V367"/>
#| <path d="M389 425V443"/>
#| <path d="M348 511V529"/>
#| </g>
#| <g class="e critical">
#| </g>
#| <g class="g">
#| <rect class="s" x="382" y="334" width="15" height="15" rx="2"/><text x="389" y="345" font-size="10" text-anchor="middle">S</text>
#| <path class="fc" d="M389 367l5.5 10h-11z"/>
#| <path class="jc" d="M389 727m-5.5 0h11l-5.5 10z"/>
#| <circle class="t w c" cx="389" cy="410" r="14.7" fill="#8FB4D9"><title>implicit 1 (P0.t0)
#| 0x1000
#| work 1.0 µs
#| thread 0</title></circle>
#| <path class="fc" d="M389 443l5.5 10h-11z"/>
#| <path class="jc" d="M389 699m-5.5 0h11l-5.5 10z"/>
#| <circle class="t c" cx="348" cy="497" r="13.9" fill="#F2D479"><title>task 2 (P0.s0.1)
#| 0x3000
#| work 900 ns
#| creation 200 ns
#| thread 0</title></circle>
#| <path class="fc" d="M348 529l5.5 10h-11z"/>
#| <path class="jc" d="M348 659m-5.5 0h11l-5.5 10z"/>
#| <circle class="t" cx="438" cy="495" r="12.3" fill="#B79BC9"><title>task 3 (P0.s0.2)
#| 0x3010
#| work 700 ns
#| creation 200 ns
#| thread 1</title></circle>
#| <circle class="t c" cx="320" cy="599" r="36.0" fill="#F2D479"><title>task 4 (P0.s0.1.1)
#| 0x3000
#| work 6.0 µs
#| creation 200 ns
#| thread 1</title></circle>
#| <circle class="t" cx="391" cy="584" r="20.8" fill="#B79BC9"><title>task 5 (P0.s0.1.2)
#| 0x3010
#| work 2.0 µs
#| creation 200 ns
#| thread 0</title></circle>
#| <circle class="t" cx="480" cy="498" r="14.7" fill="#F2D479"><title>task 8 (P0.s0.2.1)
#| 0x3000
#| work 1.0 µs
#| creation 200 ns
#| thread 1</title></circle>
#| <rect class="s" x="382" y="755" width="15" height="15" rx="2"/><text x="389" y="766" font-size="10" text-anchor="middle">E</text>
#| </g>
#| </svg>
#| <text x="24" y="64" font-size="15" text-anchor="start">5 grains by time: 12.8 µs, span 7.3 µs, exposed parallelism 1.75</text>
#| 1
#| 2
#= stderr
#| winnow export: taskgraph: has no form fragments; use graphml or dot
#: taskgraph-folded
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
# from 10,000 nodes on without being asked, along a red path from start to end; how many there are depends on the schedule (40 runs of
# lu: 141 to 206)
gcc -std=gnu17 -O1 -g -fopenmp -o fib "$programs/fib.c" || { echo "no OpenMP"; exit 77; }
gcc -std=gnu17 -O1 -g -fopenmp -o sparselu "$programs/sparselu.c" -lm
OMP_NUM_THREADS=2 winnow record -o fib.winnow ./fib 19 19 > /dev/null 2> /dev/null
OMP_NUM_THREADS=2 winnow record -o lu.winnow ./sparselu 30 2 > /dev/null 2> /dev/null
for run in fib lu; do
	winnow report --json $run.winnow > $run.json
	winnow export $run.winnow --format taskgraph --folded -o $run.svg
	winnow export $run.winnow --format taskgraph --folded | cmp - $run.svg
	[ "$(count $run.svg)" = "$(jq .graph.grains $run.json)" ] || echo "$run: $(count $run.svg) grains"
	[ "$(nodes $run.svg)" -le 300 ] && [ "$(nodes $run.svg)" -ge 60 ] || echo "$run: $(nodes $run.svg) nodes"
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
#: taskgraph-links
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
#: folded
# A view that is open down to the grains is the graph; one that is not has as many nodes as it says
for run in tree loop threads depend hostile; do
	"$MAKE_RUN" "$run" > "$run.winnow"
	winnow export "$run.winnow" -o flat.dot
	winnow export "$run.winnow" -o open.dot --folded --depth 100 --max-nodes 100000
	# without gates, dependences and creators of what others joined
	grep -v "style=dashed\|style=dotted\|shape=diamond" flat.dot > whole.dot
	grep -v "style=dashed\|style=dotted" open.dot > forks.dot
	for what in " -> " "^	\"[^\"]*\" \[shape"; do
		[ "$(grep -c "$what" whole.dot)" = "$(grep -c "$what" forks.dot)" ] || echo "$run: $what"
	done
	# those are beside: as many, where there is no gate between
	if ! grep -q shape=diamond flat.dot; then
		for what in dashed dotted; do
			[ "$(grep -c "style=$what" flat.dot)" = "$(grep -c "style=$what" open.dot)" ] || echo "$run: $what"
		done
		grep "style=dashed\|style=dotted" open.dot >> links.dot || true
	fi
	for option in --critical --depth=1 --depth=3 --problem=parallel_benefit; do
		winnow export "$run.winnow" -o view.dot --folded "$option"
		winnow export "$run.winnow" -o view.svg --folded "$option"
		said=$(sed -n "s/.*; \([0-9]*\) nodes in view<.*/\1/p" view.svg)
		[ "$(grep -c "^	\"[^\"]*\" \[shape" view.dot)" = $((said + 2)) ] || echo "$run $option: $said"
		# as many dependences in both, and none from a node to itself
		awk '/style=dashed/ && $1 == $3 { print "to itself" }' view.dot
		in_dot=$(sed -n '/style=dashed/{s/.*label="\([0-9,]*\)".*/\1/p;t;s/.*/1/p}' view.dot | tr -d , | awk '{ n += $1 } END { print n + 0 }')
		in_svg=$(sed -n 's/.*<title>\([0-9,]*\) dependences*<.*/\1/p' view.svg | tr -d , | awk '{ n += $1 } END { print n + 0 }')
		[ "$in_dot" = "$in_svg" ] || echo "$run $option: $in_dot and $in_svg dependences"
		# all are between S and E
		sed -n "s/^	\"\([^\"]*\)\" -> \"\([^\"]*\)\".*/\1 \2/p" view.dot |
			awk -v run="$run$option" "{ out[\$1]; in_[\$2]; all[\$1]; all[\$2] }
				END { for (x in all) if ((x != \"S\" && !(x in in_)) || (x != \"E\" && !(x in out))) print run, x }"
	done
done
[ -s links.dot ] || echo 'nothing beside the forks'
#: folded-options
# Options of folded drawings that cannot be kept
"$MAKE_RUN" tree > tree.winnow
for options in "--format csv --folded" "--format graphml --folded" "--format dot --form fragments --folded" \
	"--format dot --critical" "--format dot --folded --depth x" "--format svg --folded --problem slowness" \
	"--format profile --group P0.t0/L"; do
	status=0
	# shellcheck disable=SC2086
	winnow export tree.winnow $options || status=$?
	echo "$status"
done
for form in dot svg; do
	status=0
	winnow export tree.winnow --format "$form" --folded -o /dev/full || status=$?
	echo "$status"
done
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 1
#| 1
#= stderr
#| winnow export: --folded: only dot, svg and taskgraph; graphml has --nested
#| winnow export: --folded: only dot, svg and taskgraph; graphml has --nested
#| winnow export: --folded: only for the reduced form
#| winnow export: --depth, --problem, --critical: only with --folded of dot or svg
#| winnow export: --depth 'x': not a number of levels
#| winnow export: tree.winnow: 'slowness' is none of parallel_benefit instantaneous_parallelism_median instantaneous_parallelism_min instantaneous_parallelism_max sibling_work_balance chunk_work_balance chunk_work_cpu_balance; nothing exported
#| winnow export: --group: this format is only for the whole run
#| winnow export: /dev/full: No space left on device; the export is incomplete
#| winnow export: /dev/full: No space left on device; the export is incomplete
