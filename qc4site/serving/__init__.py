"""The web server: requests are gathered without a thread, and only whole ones get one (docs/decisions/serving.md).

gunicorn keeps the processes, waitress speaks HTTP. What is ours: how long a client may take, and that a large body is
asked for before it is kept.
"""
