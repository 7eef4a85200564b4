"""Array types of the engine."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
ShortIntArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]
