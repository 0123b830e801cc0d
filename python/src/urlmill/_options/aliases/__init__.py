"""Files of aliases of URLs, and how a plan holds them."""
