"""The catalogue of measures: its registry, one file or folder per family, and scoring."""
