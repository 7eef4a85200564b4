"""The gold standard of a query: pages, a hierarchy of topics that may overlap, outliers; its rules and completion."""
