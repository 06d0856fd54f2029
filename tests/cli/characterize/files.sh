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
# more clusters than colours have marks that differ, and those without are told
awk 'BEGIN { print "n,a,b"; for (i = 0; i < 30; i++) printf "r%d,%d,%d\n", i, i * i, (i * 7) % 31 }' > many.csv
winnow characterize --table many.csv --clusters 24 --svg many > /dev/null
marks() {
	grep -o '<\(circle \|rect x="[0-9.]*" y="[0-9.]*" width="[0-9]\.[0-9]"\).*' "$1" |
		sed 's/.*\(<[a-z]*\).* fill="\([^"]*\)" stroke="\([^"]*\)".*/\1 \2 \3/' | sort -u | wc -l
}
grep -c '>cluster ' many-scores-1-2.svg
marks many-scores-1-2.svg
winnow characterize --table many.csv --clusters 26 --svg more > /dev/null
grep -o '>and 2 more<' more-scores-1-2.svg
grep -o 'stroke-dasharray="[26] 2"' more-dendrogram.svg | sort -u
#= stdout
#| out-dendrogram.svg
#| out-loadings.svg
#| out-scores-1-2.svg
#| out-scores-1-3.svg
#| out-scree.svg
#| dashed: the 99 % wanted
#| name,"a<b & ""c""",y,z,PC1,PC2,PC3,clust
#| "</svg>,1",1,2,9,-0.99549330138807068,-1
#| out.txt:0
#| out-dendrogram.svg:0
#| out-loadings.svg:0
#| out-scores-1-2.svg:0
#| out-scores-1-3.svg:0
#| out-scree.svg:0
#| read again
#| 1
#| 24
#| 24
#| >and 2 more<
#| stroke-dasharray="2 2"
#| stroke-dasharray="6 2"
#= stderr
#| winnow characterize: full/none/x-scree.svg: No such file or directory; nothing exported
