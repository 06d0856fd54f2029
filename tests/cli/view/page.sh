# A page lies beside the recording, or where told, and its bytes are always the same
"$MAKE_RUN" tree > tree.winnow
winnow view tree.winnow
winnow view tree.winnow
winnow view tree.winnow -o other.html
winnow view tree.winnow -o - > third.html
cmp tree.html other.html
cmp tree.html third.html
head -c 15 tree.html
echo
grep -c 'data-at="0"' tree.html
cp tree.winnow plain
winnow view plain
ls
#= stdout glob
#| tree.html: 0.? MB, * grains
#| tree.html: 0.? MB, * grains
#| other.html: 0.? MB, * grains
#| <!doctype html>
#| 1
#| plain.html: 0.? MB, * grains
#| other.html
#| plain
#| plain.html
#| third.html
#| tree.html
#| tree.winnow
