"""A team's own documents, each format read into articles in passages."""
