# without a program doctor describes the machine
winnow doctor
ls -A
