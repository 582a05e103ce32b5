"""Start a sandbox process: `python -s -P -S bootstrap.py MODULE JSON`, where MODULE has a `main(arguments)`.

The packages above the module's own are replaced by empty stand-ins, so that a server imports the standard
library and its own few modules only: no schema library, no numerics, nothing that is slow or large to fork.
"""

from __future__ import annotations

import importlib
import json
import sys
import types
from pathlib import Path

_ENVIRONMENTS = Path(__file__).resolve().parent.parent
_ROOT = "rlaios_core.environments"


def _stand_in(name: str, folder: Path) -> None:
    package = types.ModuleType(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package


def main() -> None:
    """Install the stand-ins and hand over to the module named on the command line."""
    module, arguments = sys.argv[1], json.loads(sys.argv[2])
    _stand_in("rlaios_core", _ENVIRONMENTS.parent)
    _stand_in(_ROOT, _ENVIRONMENTS)
    environment = module.removeprefix(f"{_ROOT}.").split(".")[0]
    if environment != "sandbox":  # its own package is light, an environment's is not
        _stand_in(f"{_ROOT}.{environment}", _ENVIRONMENTS / environment)
    sys.path.extend(arguments["packages"])
    importlib.import_module(module).main(arguments)


if __name__ == "__main__":
    main()
