"""How far the curation of a collection is: queries by curators, and what the viewer can do next.

Own drafts of others are blind: of those, an overview holds the curator, the status and the figures of progress, never
the name or a link (`annotations.drafts.access.is_blind`), and no figures for a viewer who annotates the same query
(`hides_progress`). All of it takes the same few database queries however long the collection is.
"""
