"""Benchmarks that compare speed and memory with a peer or a limit, side by side in the same run."""
