"""From dumps and documents to clean paragraphs with their provenance, on files alone."""
