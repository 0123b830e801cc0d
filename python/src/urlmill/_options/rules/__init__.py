"""The language of rules for sites, and how a plan holds them."""
