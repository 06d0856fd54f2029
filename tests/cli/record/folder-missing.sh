# where the folder is missing the program runs unrecorded
winnow record -o no/trace sh -c 'echo ran; exit 5'
