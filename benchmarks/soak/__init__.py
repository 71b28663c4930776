"""Long runs that try to break Tengen, in parts that add up: `make soak`, docs/reliability.md."""
