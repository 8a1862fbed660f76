"""The style guide: each piece of the worker's page in each of its states, from the page's own templates and modules."""
