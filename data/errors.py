"""Every expected failure of Postern.

    PosternError                     one sentence: what, and what to do
    ├── SettingsError                a setting is missing or wrong
    ├── PortTakenError               a port of ours is in use; names the setting
    ├── UnfitError                   what was given cannot be used
    │   ├── ManifestError            a manifest or policy file is not valid
    │   ├── SearchError              a search that nobody can understand
    │   └── UnreadableMailError      the bytes cannot be read as a message
    ├── NotFoundError                nothing by that id
    ├── ConflictError                the thing has moved on since it was read
    │   └── PlantedFaultError        the letter held a fault that was planted; nothing was done
    ├── ForbiddenError               this token may not do that
    ├── StoreError                   the state cannot be opened or written
    │   └── StoreBusyError           another process holds the file
    ├── SpoolError                   a message cannot be made durable now
    └── OutsideError                 another system failed
        ├── OutsideTemporaryError    try again later
        │   └── StillInWorkError     it is being done; ask again soon
        └── OutsidePermanentError    trying again will not help

``retryable`` says whether the same call may succeed later. What is not a `PosternError` is a bug:
it counts as retryable, so that a bug never loses mail, and ends in a dead letter.
"""

from typing import ClassVar


class PosternError(Exception):
    """Base of all expected failures; its text is one sentence that says what to do."""

    retryable: ClassVar[bool] = False


class SettingsError(PosternError):
    """A setting is missing or has a value that cannot be used."""


class PortTakenError(SettingsError):
    """A port that Postern should listen on is already in use."""


class UnfitError(PosternError):
    """What was given cannot be used; the sentence says how it can."""


class ManifestError(UnfitError):
    """A manifest, prompt or policy file is not valid."""


class SearchError(UnfitError):
    """A search names an operator or a value that there is none of."""


class NotFoundError(PosternError):
    """Nothing is stored under the given id."""


class ConflictError(PosternError):
    """The thing has changed since it was read; read it again and decide anew."""


class PlantedFaultError(ConflictError):
    """The letter held a planted fault, so nothing was done; the sentence tells what it was."""


class ForbiddenError(PosternError):
    """The credential does not allow the action."""


class UnreadableMailError(UnfitError):
    """The bytes cannot be read as a message; they are kept raw."""


class StoreError(PosternError):
    """The state cannot be opened, read or written."""

    retryable = True


class StoreBusyError(StoreError):
    """Another process has the state open."""


class SpoolError(PosternError):
    """A message cannot be made durable at this moment."""

    retryable = True


class OutsideError(PosternError):
    """A system that is not ours failed."""


class OutsideTemporaryError(OutsideError):
    """A system that is not ours failed, and may work later."""

    retryable = True


class TimedOutError(OutsideTemporaryError):
    """A system that is not ours has not answered in the time that it was given."""


class StillInWorkError(OutsideTemporaryError):
    """What was asked for has begun and is not done; asking again soon counts as no failure."""


class OutsidePermanentError(OutsideError):
    """A system that is not ours refused for good."""


class ModelError(PosternError):
    """A model could not be loaded, or did not answer."""
