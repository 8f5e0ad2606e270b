//! Floor 7: the MCP server.
