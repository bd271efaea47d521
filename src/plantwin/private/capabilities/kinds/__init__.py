"""The parts of objects, sorted into kinds."""
