"""How far the curation of a collection is: queries x curators, and what is next for whoever looks.

Own drafts of others are blind: of those, an overview holds the curator, the status and the figures of progress, never
the name or a way in (`annotations.draft_access.is_blind`), and no figures for who annotates the same query
(`hides_progress`). All of
it takes the same few database queries however long the collection is.
"""
