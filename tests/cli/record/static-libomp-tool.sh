# a tool linked to a libomp inside the program is asked in place of the recorder: says so
cp "$COMPILED/cli-tool_inside.c.gcc-fno-openmp" tool
winnow record ./tool
cp "$COMPILED/cli-tool_inside.c.gcc-fno-openmp-DNO_TOOL" none
winnow record ./none
#= stderr glob
#| winnow record: nothing recorded: libomp and an OMPT tool are linked into the program: *
#| winnow record: nothing recorded: it links libomp, but *
