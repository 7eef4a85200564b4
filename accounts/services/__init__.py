"""What is done with accounts and tokens."""
