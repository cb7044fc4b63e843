// The command line: one file per subcommand.
int main() { return 0; }
