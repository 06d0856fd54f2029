# A full disk and a folder that is not there are told, and nothing stays
"$MAKE_RUN" tree > tree.winnow
for out in - /dev/full no/such.html; do
	status=0
	winnow view tree.winnow -o "$out" > /dev/full || status=$?
	echo "$status"
done
ls
