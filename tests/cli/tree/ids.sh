# Every id is taken back
for run in tree loop threads depend hostile; do
	"$MAKE_RUN" "$run" > "$run.winnow"
	winnow tree "$run.winnow" --depth 20 --json > all.json
	sed -n "s/^      \"id\": \"\(.*\)\",/\1/p" all.json > ids
	while read -r id; do
		winnow tree "$run.winnow" "$id" --depth 0 --json > one.json
		grep -qF "\"root\": \"$id\"" one.json || echo "$run: $id"
	done < ids
	sed -n "s/^      \"gid\": \"\(.*\)\",/\1/p" all.json > gids
	paste ids gids | while read -r id gid; do
		winnow tree "$run.winnow" "$gid" --depth 0 --json > one.json
		grep -qF "\"root\": \"$id\"" one.json || echo "$run: $id by $gid"
	done
	wc -l < ids
	sort -u gids | wc -l
done
winnow tree tree.winnow 0123456789abcdef || echo "$?"
#= stdout
#| 12
#| 12
#| 17
#| 17
#| 7
#| 7
#| 10
#| 10
#| 12
#| 12
#| 2
#= stderr
#| winnow tree: tree.winnow: '0123456789abcdef': no node has this gid
