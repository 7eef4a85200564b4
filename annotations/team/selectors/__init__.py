"""Progress of curation: queries by curators, and the viewer's next step.

Other curators' own drafts are blind: the overview has their curator, status and progress, but never the name or a link
(`annotations.drafts.access.is_blind`). A viewer who annotates the same query does not see the progress either
(`hides_progress`). The number of database queries does not depend on the size of the collection.
"""
