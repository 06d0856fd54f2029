# A file of metrics that is not there is a failure
winnow report missing.winnow --metrics my.metrics
#= exit 1
#= stderr
#| winnow report: --metrics my.metrics: No such file or directory
