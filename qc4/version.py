"""The engine's version, stored with scores. It is raised whenever a measure would give a different value."""

ENGINE_VERSION = "1.1.0"
