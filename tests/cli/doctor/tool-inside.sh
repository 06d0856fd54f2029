# a libomp inside the program asks the tool that is linked to it
cp "$COMPILED/cli-tool_inside.c.gcc-fno-openmp" tool
winnow doctor ./tool | grep -c "libomp and an OMPT tool are linked into the program"
cp "$COMPILED/cli-tool_inside.c.gcc-fno-openmp-DNO_TOOL" none
winnow doctor ./none | grep -c "an OMPT tool" || true
#= stdout
#| 1
#| 0
