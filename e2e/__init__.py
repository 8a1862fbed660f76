"""``python -m e2e``: the whole story on real text, with scripted workers, checked at its end."""
