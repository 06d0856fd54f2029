# a libomp inside the program asks the tool that is linked to it
gcc -o tool "$PROGRAMS/tool_inside.c"
winnow doctor ./tool | grep -c "libomp and an OMPT tool are linked into the program"
gcc -DNO_TOOL -o none "$PROGRAMS/tool_inside.c"
winnow doctor ./none | grep -c "an OMPT tool" || true
#= stdout
#| 1
#| 0
