"""HTML as its reader sees it: what is drawn, and apart from it what is hidden."""
