"""postage: what a message costs. Predictions of messages and collectives from a platform file or from parameters.

    import postage
    for row in postage.predict("bcast", "1K:1M:x4", platform="platform.json"):
        print(row.algorithm, row.bytes, row.seconds)
"""

from ._postage import Error, UsageError
from ._postage import version as __version__
from .decisions import Cell, DecisionTable, Rule
from .jobs import Advice, Candidate, Escalation, Explained, Explanation, Prediction, PredictionWarning, ResourceGain, compare, explain, predict
from .platform import Curve, Estimate, ParameterGroup, Platform
from .rows import Rows
from .schedules import Schedule, algorithms, schedule

__all__ = [
    "Advice", "Candidate", "Cell", "Curve", "DecisionTable", "Error", "Escalation", "Estimate", "Explained", "Explanation", "ParameterGroup", "Platform", "Prediction",
    "PredictionWarning", "ResourceGain", "Rows", "Rule", "Schedule", "UsageError", "__version__", "algorithms", "compare", "explain", "predict",
    "schedule",
]  # fmt: skip
