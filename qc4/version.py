"""The version of the numbers: raised whenever any measure would give a different value, and stored with scores."""

ENGINE_VERSION = "1.1.0"
