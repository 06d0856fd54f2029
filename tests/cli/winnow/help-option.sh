# VERB --help is the same as help VERB, for every verb
for verb in $(winnow --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	winnow help "$verb" > a
	winnow "$verb" --help > b
	cmp a b
	winnow "$verb" -h > b
	cmp a b
	echo "$verb" >> verbs
	grep -q "^see winnow-$verb(1)" a
done
test "$(wc -l < verbs)" -ge 3
