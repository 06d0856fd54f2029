# Conditions that do not hold change nothing
"$MAKE_TRACE" loop > loop.winnow
winnow report --json loop.winnow --fail-if "chunks>6" --fail-if "problems.parallel_benefit>100" > /dev/null
