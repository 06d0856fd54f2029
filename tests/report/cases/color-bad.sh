# --color knows three words
winnow report --color=sometimes missing.winnow
#= exit 2
#= stderr
#| winnow report: --color 'sometimes': not one of auto, always, never
