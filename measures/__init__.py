"""The QC4 measures engine: works alone, without the web site."""
