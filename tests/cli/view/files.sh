#: damaged
# Of a damaged recording the rest is shown
"$MAKE_RUN" damaged > damaged.winnow
winnow view damaged.winnow
#= exit 3
#= stdout glob
#| damaged.html: 0.? MB, * grains
#= stderr glob
#| winnow view: damaged.winnow: *damaged*
#: data
# The data alone, by the name's ending
"$MAKE_RUN" tree > tree.winnow
winnow view tree.winnow -o tree.grains
head -c 8 tree.grains
echo
#= stdout glob
#| tree.grains: 0.0 MB, * grains
#| WINGRAIN
#: full-disk
# A full disk and a folder that is not there are told, and nothing stays
"$MAKE_RUN" tree > tree.winnow
for out in - /dev/full no/such.html; do
	status=0
	winnow view tree.winnow -o "$out" > /dev/full || status=$?
	echo "$status"
done
ls
#= stdout
#| 1
#| 1
#| 1
#| tree.winnow
#= stderr
#| winnow view: standard output: No space left on device; the export is incomplete
#| winnow view: /dev/full: No space left on device; the export is incomplete
#| winnow view: no/such.html: No such file or directory; nothing exported
#: keep
# Recordings and files of somebody else stay
"$MAKE_RUN" tree > tree.winnow
cp tree.winnow saved
echo mine > tree.html
for out in "" "-o tree.winnow"; do
	status=0
	# shellcheck disable=SC2086 # two words
	winnow view tree.winnow $out || status=$?
	echo "$status"
done
cmp tree.winnow saved
cat tree.html
winnow view tree.winnow -o tree.html
#= stdout glob
#| 2
#| 2
#| mine
#| tree.html: 0.? MB, * grains
#= stderr
#| winnow view: tree.html: is there, and no page of winnow; -o says where else
#| winnow view: tree.winnow: is a recording; nothing exported
#: no-trace
# Other files are no recordings
echo hello > hello
winnow view hello
#= exit 1
#= stderr glob
#| winnow view: hello: *
