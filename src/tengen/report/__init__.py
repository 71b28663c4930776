"""Reports: documents of measured results, written by commands from games that were really played."""
