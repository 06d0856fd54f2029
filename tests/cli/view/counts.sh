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
