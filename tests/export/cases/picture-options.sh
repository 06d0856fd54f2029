# Options of pictures that cannot be kept
"$MAKE_RUN" tree > tree.winnow
for options in "--format dot --map" "--format svg --map --structure" "--format svg --by-place" \
	"--format svg --map --view slowness" "--format svg --structure --group P9"; do
	status=0
	# shellcheck disable=SC2086
	winnow export tree.winnow $options || status=$?
	echo "$status"
done
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#= stderr
#| winnow export: --map, --structure: pictures of their own in svg, of the reduced form
#| winnow export: --map, --structure: one at a time
#| winnow export: --by-place: only with --map or --structure
#| winnow export: tree.winnow: --view 'slowness': no problem is called so; winnow report --json lists them; nothing exported
#| winnow export: tree.winnow: no grain is called 'P9'; the root is R/F0; nothing exported
