"""CMM on generated streams: moving clusters, clusterings with known errors, and the figures of the CMM paper."""
