"""AI platforms: what is known of them, how a call is made, sent and read, and how a failed one is classified.

`catalogue` and `workspace_file` say which platforms there are, `ask` makes one call,
`envelope` keeps it as evidence. Adapters are pure; only `sender` touches the network and the secret.
"""
