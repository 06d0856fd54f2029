# what cannot be recorded gives no report, and keeps its exit status
winnow run sh -c 'echo ran; exit 4'
#= exit 4
#= stdout
#| ran
#= stderr glob
#| winnow run: nothing recorded: *
