# A recording without grains
"$MAKE_RUN" serial > serial.winnow
winnow tree serial.winnow
#= exit 1
#= stderr
#| winnow tree: serial.winnow: there is no grain in it
