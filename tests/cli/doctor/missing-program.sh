# doctor for a missing program is a usage error
winnow doctor ./nothing > /dev/null
#= exit 2
#= stderr
#| winnow doctor: ./nothing: no such program
