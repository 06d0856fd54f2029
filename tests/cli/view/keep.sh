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
