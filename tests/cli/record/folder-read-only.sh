# in a folder that takes no files the program runs unrecorded
winnow record -o /proc/self/trace sh -c 'echo ran; exit 5'
