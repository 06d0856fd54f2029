#: against
# --against puts what winnow diff says of the two into the index, and needs recordings
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
"$MAKE_RUN" tree > a.winnow
"$MAKE_RUN" loop > b.winnow
winnow diff --json a.winnow b.winnow | jq -c '[.headline, .structure, .word, .grains.matched]' > told
winnow view b.winnow --against a.winnow -o b.grains > said
python3 - << 'EOF' | jq -c '.diff | [.headline, .structure, .word, .grains.matched]' > held
import struct, sys, zlib
data = open('b.grains', 'rb').read()
at, n = struct.unpack_from('<QI', data, 24)
sys.stdout.write(zlib.decompress(data[at:at + n], -15).decode())
EOF
test -s told
cmp told held
winnow view b.winnow -o alone.grains > said
winnow view --serve b.grains --against a.winnow || echo "status $?"
winnow view b.winnow --against missing.winnow -o c.grains || echo "status $?"
test ! -e c.grains
#= stdout
#| status 2
#| status 1
#= stderr
#| winnow view: b.grains: is a file of grains; --against needs a recording
#| winnow view: missing.winnow: cannot open: No such file or directory
#: budget
# A budget is a size, and one that is too small is told
"$MAKE_RUN" tree > tree.winnow
for budget in 0 x 5Q -1 10 20000000000G; do
	status=0
	winnow view tree.winnow --budget "$budget" -o tree.grains || status=$?
	echo "$status"
done
winnow view tree.winnow --budget 1M -o tree.grains
winnow view tree.winnow --budget none -o tree.grains
#= stdout glob
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| tree.grains: 0.0 MB, * grains
#| tree.grains: 0.0 MB, * grains
#= stderr glob
#| winnow view: --budget '0': not a size like 64M, and not none
#| winnow view: --budget 'x': not a size like 64M, and not none
#| winnow view: --budget '5Q': not a size like 64M, and not none
#| winnow view: --budget '-1': not a size like 64M, and not none
#| winnow view: tree.winnow: the budget is too small for the groups alone, which need * bytes; nothing written
#| winnow view: --budget '20000000000G': not a size like 64M, and not none
#: counts
# --counts brings the counters of another run to the page's columns; what is none of the same is refused
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cp "$COMPILED/bench-fib.c.gcc" fib
record() { # NAME THREADS COUNTERS ARGUMENT...
	OMP_NUM_THREADS=$2 LD_PRELOAD=$SIMULATED WINNOW_COUNTERS=$3 winnow record -o "$1" ./fib "$4" 4 > said 2> said
}
record c.winnow 1 simulated:instructions=6,mem_reads=2 16
record t.winnow 2 "" 16
record other.winnow 2 "" 17
columns() {
	python3 - "$1" << 'PYTHON' | jq -c '[.columns[].name | select(. == "instructions" or . == "mem_reads")]'
import struct, sys, zlib
data = open(sys.argv[1], 'rb').read()
at, n = struct.unpack_from('<QI', data, 24)
sys.stdout.write(zlib.decompress(data[at:at + n], -15).decode())
PYTHON
}
winnow view t.winnow -o plain.grains > said
columns plain.grains
winnow view t.winnow --counts c.winnow -o t.grains > said
columns t.grains
# the run before needs no counts
winnow view t.winnow --counts c.winnow --against other.winnow -o both.grains > said
columns both.grains
for file in other.winnow missing.winnow; do
	winnow view t.winnow --counts "$file" -o none.grains || echo "status $?"
done
winnow view --serve t.grains --counts c.winnow || echo "status $?"
test ! -e none.grains
#= stdout
#| []
#| ["instructions","mem_reads"]
#| ["instructions","mem_reads"]
#| status 1
#| status 1
#| status 2
#= stderr
#| winnow view: t.winnow: --counts other.winnow: counts of another run: of './fib 17 4', not of './fib 16 4'
#| winnow view: missing.winnow: cannot open: No such file or directory
#| winnow view: t.grains: is a file of grains; --counts needs a recording
#: page
# A page lies beside the recording, or where told, and its bytes are always the same
"$MAKE_RUN" tree > tree.winnow
winnow view tree.winnow
winnow view tree.winnow
winnow view tree.winnow -o other.html
winnow view tree.winnow -o - > third.html
cmp tree.html other.html
cmp tree.html third.html
head -c 15 tree.html
echo
grep -c 'data-at="0"' tree.html
cp tree.winnow plain
winnow view plain
ls
#= stdout glob
#| tree.html: 0.? MB, * grains
#| tree.html: 0.? MB, * grains
#| other.html: 0.? MB, * grains
#| <!doctype html>
#| 1
#| plain.html: 0.? MB, * grains
#| other.html
#| plain
#| plain.html
#| third.html
#| tree.html
#| tree.winnow
#: source
# Lines of the source are in the data, unless they are to be left out
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
cat > add.c <<'END'
#include <stdio.h>
int main(void)
{
	double sum = 0; /* a line to be found */
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
	for (int i = 0; i < 100; i++)
		sum += i;
	printf("%g\n", sum);
}
END
gcc -g -O1 -fopenmp -o add add.c
winnow record -o add.winnow ./add > record.out 2>&1 || { cat record.out; exit 1; }
winnow view add.winnow -o with.grains > said
winnow view add.winnow --no-source -o without.grains > said
python3 - <<'END'
import json, struct, zlib
for name in 'with.grains', 'without.grains':
    file = open(name, 'rb').read()
    at, n = struct.unpack_from('<QI', file, 24)
    index = json.loads(zlib.decompress(file[at:at + n], -15))
    of = index['excerpts']
    print(name, of and [(e['first_line'], len(e['lines']), e['lines'][3].strip(), e['is_newer']) for e in of])
END
#= stdout
#| with.grains [(1, 9, 'double sum = 0; /* a line to be found */', False)]
#| without.grains None

#: damaged
# Of a damaged recording the rest is shown
"$MAKE_RUN" damaged > damaged.winnow
winnow view damaged.winnow
#= exit 3
#= stdout glob
#| damaged.html: 0.? MB, * grains
#= stderr glob
#| winnow view: damaged.winnow: *damaged*
#: data
# The data alone, by the name's ending
"$MAKE_RUN" tree > tree.winnow
winnow view tree.winnow -o tree.grains
head -c 8 tree.grains
echo
#= stdout glob
#| tree.grains: 0.0 MB, * grains
#| WINGRAIN
#: full-disk
# A full disk and a folder that is not there are told, and nothing stays
"$MAKE_RUN" tree > tree.winnow
for out in - /dev/full no/such.html; do
	status=0
	winnow view tree.winnow -o "$out" > /dev/full || status=$?
	echo "$status"
done
ls
#= stdout
#| 1
#| 1
#| 1
#| tree.winnow
#= stderr
#| winnow view: standard output: No space left on device; the export is incomplete
#| winnow view: /dev/full: No space left on device; the export is incomplete
#| winnow view: no/such.html: No such file or directory; nothing exported
#: keep
# Recordings and files of somebody else stay
"$MAKE_RUN" tree > tree.winnow
cp tree.winnow saved
echo mine > tree.html
for out in "" "-o tree.winnow"; do
	status=0
	# shellcheck disable=SC2086 # two words
	winnow view tree.winnow $out || status=$?
	echo "$status"
done
cmp tree.winnow saved
cat tree.html
winnow view tree.winnow -o tree.html
#= stdout glob
#| 2
#| 2
#| mine
#| tree.html: 0.? MB, * grains
#= stderr
#| winnow view: tree.html: exists and is not a page of winnow; -o names another file
#| winnow view: tree.winnow: is a recording; nothing exported
#: no-trace
# Other files are no recordings
echo hello > hello
winnow view hello
#= exit 1
#= stderr glob
#| winnow view: hello: *
