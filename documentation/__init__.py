"""The documentation for people, `docs/users`, as pages of the site: rendered, linked, searched."""
