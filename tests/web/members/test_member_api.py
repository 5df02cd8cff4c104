"""What is asked at random with a token, and without: no answer that the API's description does not have."""

from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis import BaseSchema, Case
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from serving import bearer, enrol, serving
from tournament.home import Home
from tournament.store.database import Store

API = "/api/v1"

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

OPERATIONS = (
    ("GET", "/account"),
    ("GET", "/submissions"),
    ("POST", "/submissions"),
    ("GET", "/submissions/{key}"),
    ("GET", "/bots/{name}/{version}/bundle"),
    ("GET", "/exhibitions"),
    ("GET", "/exhibitions/{key}/replay"),
    ("GET", "/tournaments/{name}/{game}/matches/{pairing}/{board}/{room}/logs"),
)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[BaseSchema, str]]:
    """The API as it describes itself, and a token."""
    home = Home(tmp_path_factory.mktemp("asked") / "home")
    with Store.create(home) as store:
        _, token = enrol(store, "ada")
    with serving(home, "--jail", "process") as (server, _):
        yield schemathesis.openapi.from_url(f"{server}{API}/openapi.json"), token


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_to_a_user_is_one_that_the_description_has(
    asked: tuple[BaseSchema, str], method: str, path: str
) -> None:
    schema, token = asked

    @hypothesis.settings(
        max_examples=10,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=schema[f"{API}{path}"][method].as_strategy())
    def ask(case: "Case[Any]") -> None:
        case.call_and_validate(checks=CHECKS, headers=bearer(token))
        case.call_and_validate(checks=CHECKS)

    ask()
