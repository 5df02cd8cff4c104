"""The web page of ``tournament serve``: pages, a JSON API and live events, all read from the store.

``app`` puts it together; ``pages`` has a module for each group of pages and ``api`` one for each part of the API;
``sight`` says what may be told of a match before its tournament is finished.
"""
