"""What holds for the names of all tests."""

import ast
from pathlib import Path

TESTS = Path(__file__).parent
LONGEST = 80


def test_names_of_tests_have_at_most_80_characters():
    too_long = [
        f"{path.relative_to(TESTS)}: {node.name}"
        for path in sorted(TESTS.rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if node.name.startswith("test_") and len(node.name) > LONGEST
    ]
    assert too_long == []
