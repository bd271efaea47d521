"""An MCP server through which an agent works on a folder that it cannot read."""
