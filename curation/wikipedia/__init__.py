"""Articles of any MediaWiki wiki: from its dump, from Special:Export and from its API, as a reader sees them."""
