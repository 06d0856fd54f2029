# where the trace cannot be created the program runs unrecorded
echo text > file
winnow record -o file/trace sh -c 'echo ran; exit 5'
