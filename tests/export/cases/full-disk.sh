# A full disk is told, and the device is not removed
"$MAKE_RUN" tree > tree.winnow
for format in graphml dot svg csv; do
	status=0
	winnow export tree.winnow --format "$format" -o /dev/full || status=$?
	echo "$status"
	winnow export tree.winnow --format "$format" > /dev/full || status=$?
	echo "$status"
done
test -c /dev/full
