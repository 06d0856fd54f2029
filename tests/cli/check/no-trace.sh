# a text file is no trace
echo hello > notes.txt
winnow check notes.txt
