"""Work that must not get lost: claims, leases, the sweeper, and what runs under them (docs/developers/jobs.md)."""
