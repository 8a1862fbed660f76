"""``python -m bench``: how fast the product is, as ratios to a plain site on the same machine in the same run; and what
the worker's page weighs, and how soon and how smoothly it works in Chromium."""
