# a tool linked to a libomp inside the program is asked in place of the recorder: says so
gcc -o tool "$PROGRAMS/tool_inside.c"
winnow record ./tool
gcc -DNO_TOOL -o none "$PROGRAMS/tool_inside.c"
winnow record ./none
#= stderr glob
#| winnow record: nothing recorded: libomp and an OMPT tool are linked into the program: *
#| winnow record: nothing recorded: it links libomp, but *
