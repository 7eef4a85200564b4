"""What every app of the site uses and none of them is about: forms, files, names, database triggers."""
