# What is no recording is refused
echo hello > hello.winnow
winnow tree hello.winnow
