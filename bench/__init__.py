"""Benchmarks: how the engine's speed compares with a peer's on the same input, side by side in one process."""
