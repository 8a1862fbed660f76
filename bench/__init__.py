"""``python -m bench``: how fast the product is, as ratios to a plain site on the same machine in the same run."""
