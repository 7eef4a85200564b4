"""Wiring only: settings, URLs, the web server, the error shape, WSGI."""
