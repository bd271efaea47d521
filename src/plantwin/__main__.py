"""`python -m plantwin`."""

import sys

from plantwin.surfaces.cli import main

if __name__ == "__main__":
    sys.exit(main())
