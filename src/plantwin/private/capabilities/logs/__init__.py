"""What the capabilities for incidents share: logs with their templates, events in time, rates of errors."""
