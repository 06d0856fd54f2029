# what follows the program is the program's
winnow record echo --blow -o -- x
#= stdout
#| --blow -o -- x
#= stderr glob
#| winnow record: nothing recorded: *
