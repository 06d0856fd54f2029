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
