# Every id is taken back
for run in tree loop threads depend hostile; do
	"$MAKE_RUN" "$run" > "$run.winnow"
	winnow tree "$run.winnow" --depth 20 --json > all.json
	sed -n "s/^      \"id\": \"\(.*\)\",/\1/p" all.json > ids
	while read -r id; do
		winnow tree "$run.winnow" "$id" --depth 0 --json > one.json
		grep -qF "\"root\": \"$id\"" one.json || echo "$run: $id"
	done < ids
	wc -l < ids
done
