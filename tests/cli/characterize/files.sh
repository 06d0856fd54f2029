# Pictures are XML, names are safe in them, and the CSV can be read again
command -v xmllint > /dev/null || { echo "xmllint is missing"; exit 77; }
printf 'name,"a<b & ""c""",y,z\n"</svg>,1",1,2,9\n\033[31mred,3,4,1\nc,5,1,4\n\303\244\377,2,8,8\n' > odd.csv
winnow characterize --table odd.csv --keep 99% --svg out --csv out.csv > out.txt
for file in out-*.svg; do
	xmllint --noout "$file" && echo "$file"
done
grep -o "dashed: the 99 % wanted" out-scree.svg
head -n 2 out.csv | cut -c 1-40
LC_ALL=C grep -c "[[:cntrl:]]\[31m" out.txt out-*.svg || true
winnow characterize --table out.csv --json > again.json
test -s again.json && echo "read again"
mkdir full
winnow characterize --table odd.csv --svg full/none/x > /dev/null || echo $?
