"""`python -m answerwatch` is the same as `answerwatch`."""

from answerwatch.interfaces.cli import main

main()
