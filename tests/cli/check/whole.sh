# a whole trace: its graph obeys the laws
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp > /dev/null 2>&1
winnow check omp.winnow
#= stdout glob
#| trace: format 1.5, * thread*, * events, * bytes, closed: whole
#| recording: complete
#| graph: * fork-join* with children (* opened), * joins, * fragments: all laws hold
#| groups: * of * grain*: all laws hold
