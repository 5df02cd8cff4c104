"""The generated code of the protocol."""
