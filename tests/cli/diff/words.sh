# --color, --deviation: words that are none are refused before a file is looked at
for option in --color=pink --deviation=much --deviation=-1 --deviation=; do
	winnow diff $option no no || echo $?
done
#= stdout
#| 2
#| 2
#| 2
#| 2
#= stderr glob
#| winnow diff: --color*
#| winnow diff: --deviation*
#| winnow diff: --deviation*
#| winnow diff: --deviation*
