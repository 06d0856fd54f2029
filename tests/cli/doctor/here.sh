# without a program doctor describes the machine
winnow doctor
ls -A
# all facts begin in one column
test -z "$(winnow doctor | grep '^  ' | grep -v '^  ............. [^ ]')"
