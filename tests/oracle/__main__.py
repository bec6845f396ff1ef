"""Play one random game at both tables and show it: python -m tests.oracle secret-paths 17"""

import sys

from tests.oracle.comparison import Comparison, Disagreement

slug, seed = sys.argv[1], int(sys.argv[2])
comparison = Comparison(slug, seed)
try:
    print("Both agree; it ended with", comparison.play())
except Disagreement as disagreement:
    print("They disagree about", disagreement)
for turn, (seat, line) in enumerate(comparison.typed):
    print(f"{seat}> {line!r}", *comparison.answers[turn : turn + 1])
