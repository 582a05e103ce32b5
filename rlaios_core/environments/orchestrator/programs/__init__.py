"""Programs that worlds can call by name: jobs, checks, remedies and the verifier.

They run in the sandbox, import the standard library only, read a world's words and settings from its `etc`
folder, and end with the exit codes of `sysexits.h`.
"""
