"""Background work: the job table, leases, workers, and answers, which are results that are computed once and stored.

This app does not know what the work is about. The apps that import it register their kinds of work and answers.
"""
