# where the trace cannot be created the program runs unrecorded
echo text > file
winnow record -o file/trace sh -c 'echo ran; exit 5'
#= exit 5
#= stdout
#| ran
#= stderr
#| winnow record: file/trace: cannot be created: Not a directory; the program runs unrecorded
