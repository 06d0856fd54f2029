# a 32-bit program cannot be recorded
# the header of an ELF file of class 32 for the 386, and nothing else
printf '\177ELF\001\001\001\000\000\000\000\000\000\000\000\000\002\000\003\000\001\000\000\000' > old
head -c 28 /dev/zero >> old
chmod +x old
winnow doctor ./old
#= exit 1
#= stdout glob
#| *  because       it is a 32-bit program, *
