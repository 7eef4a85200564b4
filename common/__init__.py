"""Code that every app of the site can use: forms, files, names and database triggers."""
