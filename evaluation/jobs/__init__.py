"""Work that must not get lost: what runs under a lease, and who sees to it that it ends (docs/developers/jobs.md)."""
