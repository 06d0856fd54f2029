# A counter that is named twice, by two of its names
winnow record --counters cycles,PAPI_TOT_CYC -o x.winnow echo "never printed"
#= exit 2
#= stderr
#| winnow record: --counters: 'cycles' comes twice
