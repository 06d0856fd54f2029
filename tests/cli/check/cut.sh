# a trace cut in the middle is damaged, usable
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp > /dev/null 2>&1
head -c 270000 omp.winnow > cut.winnow
winnow check cut.winnow
#= exit 3
#= stdout glob
#| *damaged, usable
#| recording: cut off: the file ends before its last block
#| graph: *all laws hold
#| groups: * of * grain*: all laws hold
