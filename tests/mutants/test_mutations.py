"""The list of planted faults fits the code and the tests; ``make mutants`` tries them."""

import ast
from pathlib import Path

import pytest

from mutants.mutations import MUTATIONS, Mutation

ROOT = Path(__file__).parents[2]
every_mutation = pytest.mark.parametrize("mutation", MUTATIONS, ids=[mutation.fault for mutation in MUTATIONS])


@every_mutation
def test_a_fault_can_be_planted(mutation: Mutation) -> None:
    text = (ROOT / mutation.file).read_text(encoding="utf-8")
    assert text.count(mutation.old) == 1
    ast.parse(text.replace(mutation.old, mutation.new))
    assert mutation.new != mutation.old


@every_mutation
def test_the_test_that_must_find_it_is_there(mutation: Mutation) -> None:
    file, _, name = mutation.test.partition("::")
    functions = [node.name for node in ast.parse((ROOT / file).read_bytes()).body if isinstance(node, ast.FunctionDef)]
    assert name.partition("[")[0] in functions


def test_faults_of_every_part_are_planted() -> None:
    assert len(MUTATIONS) >= 25
    assert len({mutation.fault for mutation in MUTATIONS}) == len(MUTATIONS)
    assert {mutation.file.split("/")[0] for mutation in MUTATIONS} == {"sdk", "referee", "tournament"}
