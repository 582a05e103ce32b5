"""Start a sandbox process: `python -s -P -S bootstrap.py MODULE JSON`, where MODULE has a `main(arguments)`.

The packages above the shell environment are replaced by empty stand-ins, so that a server imports the
standard library and its own few modules only: no schema library, no numerics, nothing that is slow or large
to fork.
"""

from __future__ import annotations

import importlib
import json
import sys
import types
from pathlib import Path

_SHELL = Path(__file__).resolve().parent.parent


def _stand_in(name: str, folder: Path) -> None:
    package = types.ModuleType(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package


def main() -> None:
    """Install the stand-ins and hand over to the module named on the command line."""
    _stand_in("rlaios_core", _SHELL.parent.parent)
    _stand_in("rlaios_core.environments", _SHELL.parent)
    _stand_in("rlaios_core.environments.shell", _SHELL)
    arguments = json.loads(sys.argv[2])
    sys.path.extend(arguments["packages"])
    importlib.import_module(sys.argv[1]).main(arguments)


if __name__ == "__main__":
    main()
