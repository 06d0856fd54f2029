# A counter that is none keeps the program from starting
winnow record --counters task-clock,nonsense -o x.winnow echo "never printed"
#= exit 2
#= stderr
#| winnow record: --counters: 'nonsense' is no counter: event not found; see winnow doctor
