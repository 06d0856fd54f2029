# A counter that is none keeps the program from starting
winnow record --counters task-clock,nonsense -o x.winnow echo "never printed"
