# A metric that cannot mean anything is a usage error, before the file is looked at
winnow report missing.winnow --metric "x = 1 + "
#= exit 2
#= stderr
#| winnow report: metric 'x': column 8: expected a value, found the end
