# in a folder that takes no files the program runs unrecorded
winnow record -o /proc/self/trace sh -c 'echo ran; exit 5'
#= exit 5
#= stdout
#| ran
#= stderr glob
#| winnow record: /proc/self/trace: cannot be created: *; the program runs unrecorded
