# A file of something else is refused
echo hello > hello.txt
winnow report hello.txt
