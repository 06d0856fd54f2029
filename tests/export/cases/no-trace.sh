# What is no recording is refused
echo hello > hello.winnow
winnow export hello.winnow --format dot
#= exit 1
#= stderr glob
#| winnow export: hello.winnow: byte 0: not a Winnow trace*; nothing exported
