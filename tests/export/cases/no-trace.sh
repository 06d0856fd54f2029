# What is no recording is refused
echo hello > hello.winnow
winnow export hello.winnow --format dot
