"""What `tengen bench` measures beyond the core's own benches."""
