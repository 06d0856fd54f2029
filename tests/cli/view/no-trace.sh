# Other files are no recordings
echo hello > hello
winnow view hello
#= exit 1
#= stderr glob
#| winnow view: hello: *
