"""Results as a person sees them: tables of the terminal, pages, tables for other programs."""
