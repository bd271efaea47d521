"""Everything that can go wrong, as one tree. Messages carry ids and codes, never content of X.

PlanTwinError
├── InputError            the person gave something unusable              exit 2
│   ├── RootError         the folder does not exist or cannot be listed
│   └── ConfigError       a config file does not parse or validate
├── GateError             a gate refused: nothing was sent, nothing ran   exit 1
│   ├── VocabularyError   a value has no place in the closed vocabulary
│   ├── WireError         bytes that may not leave, or an answer that may not enter
│   │   └── AnswerError   an answer that is no plan, with the closed code for it
│   ├── PolicyError       no policy, or one that does not parse or validate
│   ├── LedgerError       the ledger or its trail cannot be written, or would be passed
│   ├── LimitError        an audience has had its share for the hour
│   ├── StateError        the state folder or index cannot be used
│   └── ConsentError      a person must be asked before anything is sent, and nobody can be
├── PlannerError          the planner hung, died, flooded or answered nonsense      exit 3
└── StageError            a stage of the projection failed on one object
"""

from __future__ import annotations


class PlanTwinError(Exception):
    """Base of all errors that PlanTwin raises on purpose."""

    exit_code = 2


class InputError(PlanTwinError):
    """The person gave something unusable."""

    def __init__(self, message: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        """What to do now, where it is not to look at the help."""


class RootError(InputError):
    """The folder to observe does not exist or cannot be listed."""


class ConfigError(InputError):
    """A config file does not parse or does not validate."""


class GateError(PlanTwinError):
    """A gate refused: nothing was sent and nothing ran."""

    exit_code = 1


class VocabularyError(GateError):
    """A value has no place in the closed vocabulary."""


class WireError(GateError):
    """Bytes that may not leave, or an answer that may not enter."""


class AnswerError(WireError):
    """An answer that is no plan. A planner hears `code`, the closed word for what is wrong, and `step`, which one."""

    def __init__(self, message: str, code: str = "no_plan", step: int = 0) -> None:
        """`step`: its number in the plan, from 1; 0 where it is not about one."""
        super().__init__(message)
        self.code, self.step = code, step


class PolicyError(GateError):
    """There is no policy, or it does not parse or validate."""


class LedgerError(GateError):
    """The ledger or its trail cannot be written or read, or a charge would pass a threshold."""


class LimitError(GateError):
    """An audience has had its share for the hour."""


class StateError(GateError):
    """The state folder or the index cannot be used."""


class ConsentError(GateError):
    """A person must be asked before anything is sent, and nobody can be."""


class PlannerError(PlanTwinError):
    """The planner hung, died, flooded or answered nonsense."""

    exit_code = 3


class StageError(PlanTwinError):
    """A stage of the projection failed on one object."""
