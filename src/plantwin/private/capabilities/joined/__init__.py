"""Earlier results, put together for the person."""
