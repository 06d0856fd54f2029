# Options of pictures that cannot be kept
"$MAKE_RUN" tree > tree.winnow
for options in "--format dot --map" "--format svg --map --structure" "--format svg --by-place" \
	"--format svg --map --view slowness" "--format svg --structure --group P9"; do
	status=0
	# shellcheck disable=SC2086
	winnow export tree.winnow $options || status=$?
	echo "$status"
done
