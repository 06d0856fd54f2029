# where the folder is missing the program runs unrecorded
winnow record -o no/trace sh -c 'echo ran; exit 5'
#= exit 5
#= stdout
#| ran
#= stderr
#| winnow record: no/trace: cannot be created: No such file or directory; the program runs unrecorded
