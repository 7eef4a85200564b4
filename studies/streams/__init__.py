"""CMM on generated streams: moving clusters, clusterings with known flaws, and the figures of its paper."""
