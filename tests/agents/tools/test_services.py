"""HTTP services as tools: what is declared is called, and nothing a value could lead to."""

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from pydantic import ValidationError

from connectors.http_service import HttpServiceClient, NoAnswerError, request_of
from data.errors import (
    ManifestError,
    NotFoundError,
    OutsideError,
    OutsidePermanentError,
    OutsideTemporaryError,
    TimedOutError,
)
from data.policy_files import merge_policy
from data.records.agents.turns import FailureCode
from data.records.core.organization import HttpService, Mode, ServiceParameter
from data.records.core.policies import PolicyChange, PolicyPlace, SetPolicy
from data.records.core.tools import Effect
from data.store.core import policies, users
from data.store.core.database import Connection
from data.tool_names import GROUP_NAMES, TOOL_NAMES
from flows.agents.calls import code_of_failure
from flows.agents.services import GROUP, add_services, build_service_tool
from flows.core.tools import Calling, Toolbox, ToolCallError, UnknownOutcomeError
from flows.health.state import organization_findings
from flows.mail.people import governing
from flows.running.agents import TOOLS
from flows.sync import sync_one, sync_told
from tasks.agents.thinking import READ_ON
from tests.agents.conftest import Office
from tests.core.small import POLICY, api_over, open_line
from tests.people import person

ORDER = ServiceParameter(name="order", description="The order's number.")
NOTE = ServiceParameter(name="note", description="A word to the shop.", required=False)


class Shop(BaseHTTPRequestHandler):
    """Answers what its server is told to, and remembers what it was asked."""

    server: "Server"

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode()
        self.server.seen.append((self.command, self.path, body, dict(self.headers)))
        if self.server.hangs:
            self.server.let.wait(10)
            return
        self.send_response(self.server.status)
        for name, value in self.server.head.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.server.answer)

    do_GET = do_POST = do_DELETE = _answer  # the library's names

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """One service on loopback."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Shop)
        self.seen: list[tuple[str, str, str, dict[str, str]]] = []
        self.status, self.answer, self.hangs = 200, b'{"state": "sent"}', False
        self.head: dict[str, str] = {}
        self.let = threading.Event()

    def service(self, path: str = "/orders/{order}", **more: object) -> HttpService:
        """Return it as it is declared."""
        given = {
            "name": "order_status",
            "description": "Tells where an order is.",
            "url": f"http://127.0.0.1:{self.server_port}{path}",
            "parameters": (ORDER, NOTE),
            "changes": False,
        }
        return HttpService.model_validate(given | more)


@pytest.fixture
def server() -> Iterator[Server]:
    """Serve while a test runs."""
    with Server() as served:
        thread = threading.Thread(target=served.serve_forever, daemon=True)
        thread.start()
        yield served
        served.let.set()
        served.shutdown()


CLIENT = HttpServiceClient(allow_private=True, seconds=60)


async def test_a_value_stays_in_its_place(server: Server) -> None:
    """In the path it is one segment, in the query one value; the key goes along, no redirect."""
    value = "../admin?x=1#y/%2e%2e"
    given = {"order": value, "note": "a&b=c"}
    assert await CLIENT.call(server.service(), given, "key-1", "turn.3") == '{"state": "sent"}'
    ((method, path, body, headers),) = server.seen
    assert (method, body) == ("GET", "")
    assert path == "/orders/..%2Fadmin%3Fx%3D1%23y%2F%252e%252e?note=a%26b%3Dc"
    assert headers["Authorization"] == "Bearer key-1"
    assert headers["Idempotency-Key"] == "turn.3"


async def test_a_body_is_json(server: Server) -> None:
    """What is not in the path is an object."""
    service = server.service(method="POST")
    await CLIENT.call(service, {"order": "7", "note": 'x"y'}, "", "k")
    ((method, path, body, headers),) = server.seen
    assert (method, path, json.loads(body)) == ("POST", "/orders/7", {"note": 'x"y'})
    assert "Authorization" not in headers


async def test_a_value_longer_than_any_url_is_refused(server: Server) -> None:
    """Nothing is sent, and the sentence says what is wrong."""
    with pytest.raises(OutsidePermanentError, match=r"'order_status'.* too long"):
        await CLIENT.call(server.service(), {"order": "7", "note": "x" * 70_000}, "", "k")
    assert server.seen == []


async def test_an_answer_that_is_compressed_is_not_opened(server: Server) -> None:
    """A little of it may be gigabytes; none is asked for."""
    server.answer, server.head = gzip.compress(b"{}"), {"Content-Encoding": "gzip"}
    with pytest.raises(OutsidePermanentError, match="compressed"):
        await CLIENT.call(server.service(), {"order": "7"}, "", "k")
    assert server.seen[0][3]["Accept-Encoding"] == "identity"


async def test_a_key_that_is_echoed_is_not_told(server: Server) -> None:
    """What a service answers goes to models and into the journal."""
    server.answer = b'{"headers": {"authorization": "Bearer key-1"}}'
    answer = await CLIENT.call(server.service(), {"order": "7"}, "key-1", "k")
    assert answer == '{"headers": {"authorization": "Bearer (the key)"}}'


async def test_a_key_that_no_header_can_hold_is_told_to_nobody(server: Server) -> None:
    """The library's own words would quote it."""
    with pytest.raises(OutsidePermanentError) as refused:
        await CLIENT.call(server.service(), {"order": "7"}, "key-1\nkey-2", "k")
    assert "key-" not in f"{refused.value}{refused.value.__cause__}"
    assert server.seen == []


async def test_a_key_of_any_letters_is_sent(server: Server) -> None:
    """It is the service that refuses it."""
    await CLIENT.call(server.service(), {"order": "7"}, "schlüssel", "k")
    ((*_, headers),) = server.seen
    assert headers["Authorization"].encode("latin-1") == "Bearer schlüssel".encode()


@pytest.mark.parametrize("value", ["", ".", "..", "..."])
def test_a_path_is_never_climbed(server: Server, value: str) -> None:
    """Empty or only dots is no segment."""
    with pytest.raises(OutsidePermanentError, match="only dots"):
        request_of(server.service(), {"order": value})


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (404, OutsidePermanentError),
        (302, OutsidePermanentError),
        (503, OutsideTemporaryError),
        (429, OutsideTemporaryError),
    ],
)
async def test_another_status_is_a_failure(
    server: Server, status: int, error: type[Exception]
) -> None:
    """Nothing of the answer is told, and nothing is followed."""
    server.status, server.answer = status, b"go to http://elsewhere.example"
    with pytest.raises(error, match=f"status {status}") as refused:
        await CLIENT.call(server.service(), {"order": "7"}, "", "k")
    assert "elsewhere" not in str(refused.value)


@pytest.mark.parametrize(
    ("status", "answer", "unknown"),
    [(400, b"no", False), (429, b"", False), (303, b"", True), (500, b"", True), (504, b"", True),
     (200, b"x" * ((1 << 20) + 1), True)],
)  # fmt: skip
async def test_what_a_change_has_done_is_unknown_unless_it_was_refused(
    server: Server, status: int, answer: bytes, *, unknown: bool
) -> None:
    """A server that fails, leads elsewhere or says too much may have done it before."""
    server.status, server.answer = status, answer
    service = server.service(method="POST", changes=True)
    with pytest.raises(OutsideError) as refused:
        await CLIENT.call(service, {"order": "7"}, "", "k")
    assert isinstance(refused.value, NoAnswerError) is unknown


async def test_inner_addresses_are_not_called(server: Server) -> None:
    """Unless the setting says that it is meant."""
    closed = HttpServiceClient(allow_private=False)
    with pytest.raises(OutsidePermanentError, match="order_status"):
        await closed.call(server.service(), {"order": "7"}, "", "k")
    assert server.seen == []


async def test_a_read_that_takes_too_long_is_told_as_that(server: Server) -> None:
    """Each expected failure has its code, by which a model knows whether to ask again."""
    server.hangs = True
    client = HttpServiceClient(allow_private=True, seconds=0.2)
    with pytest.raises(TimedOutError, match=r"nothing came within 0\.2 s") as late:
        await client.call(server.service(), {"order": "7"}, "", "k")
    server.let.set()
    assert code_of_failure(late.value) is FailureCode.TIMEOUT
    assert code_of_failure(NotFoundError("no such task")) is FailureCode.NOT_FOUND
    assert code_of_failure(ToolCallError("wrong")) is FailureCode.INVALID_INPUT
    assert code_of_failure(OutsidePermanentError("refused")) is FailureCode.EXECUTION_FAILED


async def test_an_answer_without_end_is_none(server: Server) -> None:
    """A megabyte is the most."""
    server.answer = b"x" * ((1 << 20) + 1)
    with pytest.raises(OutsidePermanentError, match="more than"):
        await CLIENT.call(server.service(), {"order": "7"}, "", "k")


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "https://shop.example/{other}"},
        {"url": "https://{order}.example/"},
        {"url": "https://shop.example/x?y={order}"},
        {"parameters": (ORDER.model_copy(update={"required": False}),)},
        {"name": "Order Status"},
    ],
)
def test_a_declaration_that_leaves_anything_open_is_refused(
    server: Server, wrong: dict[str, object]
) -> None:
    """Nothing but a segment of the path is filled in, and each place has its parameter."""
    with pytest.raises(ValidationError):
        server.service(**wrong)


async def _calling(office: Office) -> Calling:
    ida = await office.sign_in("Ida")
    principal = await office.line.house.control.read(users.read_principal, ida.user_id)
    return Calling(office.line.house, office.line.workspace, principal, key="turn.1")


async def test_what_was_sent_and_not_answered_is_unknown(server: Server, tmp_path: Path) -> None:
    """Where it changes something; a read is a failure that may be tried again."""
    server.hangs = True
    async with open_line(tmp_path / "var", endpoint_allow_private=True) as line:
        calling = await _calling(Office(line, api_over(line.house)))
        changing = build_service_tool(server.service(method="POST", changes=True))
        assert changing.declaration.effect is Effect.OUTSIDE
        assert changing.declaration.approval
        threading.Timer(0.5, server.let.set).start()  # it hangs up without a word
        with pytest.raises(UnknownOutcomeError, match="Nobody knows"):
            await Toolbox([changing]).call(calling, "order_status", {"order": "7"})
        reading = build_service_tool(server.service())
        with pytest.raises(NoAnswerError):
            await Toolbox([reading]).call(calling, "order_status", {"order": "7"})


def test_the_names_that_no_service_has_are_those_of_the_tools() -> None:
    """A tool that is added, or a group, is added to the list."""
    declared = TOOLS.declarations
    assert {tool.name for tool in declared} | {READ_ON.name} == TOOL_NAMES
    assert {tool.group for tool in declared} | {GROUP} == GROUP_NAMES


async def test_a_service_named_like_a_tool_is_refused_where_it_is_declared(
    server: Server, tmp_path: Path
) -> None:
    """In the file and in the window; one that was declared before is told by the health report.

    So is a limit of a tool that is not there.
    """
    declared = server.service().model_dump(mode="json")
    text = f"{POLICY}\nservices: [{json.dumps({**declared, 'name': 'add_task'})}]\n"
    why = "names a service that agents could not call: 'add_task' is a tool of Postern's own"
    async with open_line(tmp_path / "var") as line:
        file = line.workspace.sources / "policy.yaml"
        before = file.read_text()
        file.write_text(text)
        (fault,) = (await sync_told(line.house, line.workspace)).errors
        assert why in fault
        assert line.workspace.policy.services == ()
        file.write_text(before)
        for taken in (declared | {"name": "tasks"}, declared):
            order = SetPolicy(text=f"services: {json.dumps([taken, declared])}", was=1)
            with pytest.raises(ManifestError, match="'services' names a service that agents"):
                await governing.keep(line.house, line.workspace, order, person("ida"))
        order = SetPolicy(text="agent_tools: {forbidden: [tasks], ask_first: [add_tsak]}", was=1)
        with pytest.raises(ManifestError, match="'agent_tools' limits nothing: 'add_tsak' is no"):
            await governing.keep(line.house, line.workspace, order, person("ida"))
        text += "agent_tools: {forbidden: [add_task, add_tsak]}\n"

        def declare(cursor: Connection) -> None:
            now, place = line.clock(), PolicyPlace.WINDOW
            policies.write_version(
                cursor, text, merge_policy(("p", text)), place=place, author="a", now=now
            )

        await line.workspace.db.write(declare)
        await line.house.reload_policy(line.workspace)
        findings = await organization_findings(line.house, line.workspace)
        (told,) = [finding for finding in findings if finding.name == "service"]
        assert told.sentence == "The service 'add_task' is a tool of Postern's own."
        (limit,) = [finding for finding in findings if "limit of agents" in finding.sentence]
        assert "'add_tsak' is no tool, no group of tools and no service" in limit.sentence
        order = SetPolicy(change=PolicyChange(mode=Mode.OFF), was=2)
        await governing.keep(line.house, line.workspace, order, person("ida"))
        assert line.workspace.policy.mode is Mode.OFF


async def test_a_service_of_the_policy_is_a_tool(server: Server, tmp_path: Path) -> None:
    """Its key comes from a file by name; arguments that are not declared are refused."""
    async with open_line(tmp_path / "var", endpoint_allow_private=True) as line:
        declared = server.service(credential="shop").model_dump(mode="json")
        policy = f"{POLICY}\nservices: [{json.dumps(declared)}]\n"
        (line.workspace.sources / "policy.yaml").write_text(policy)
        await sync_one(line.house, line.workspace)
        calling = await _calling(Office(line, api_over(line.house)))
        box = add_services(Toolbox([]), line.workspace)
        key = line.house.settings.secrets / "services" / "shop"
        for unfit in (None, " \n", "key-2\nkey-3\n"):
            if unfit is not None:
                key.parent.mkdir(parents=True, exist_ok=True)
                key.write_text(unfit)
            with pytest.raises(OutsidePermanentError, match="the key 'shop' of") as refused:
                await box.call(calling, "order_status", {"order": "7"})
            assert "key-" not in str(refused.value)
            assert str(key.parent) not in str(refused.value)
        assert server.seen == []
        key.write_text("key-2\n")
        result = await box.call(calling, "order_status", {"order": "7"})
        assert [item.text for item in result.items] == ['{"state": "sent"}']
        assert server.seen[-1][3]["Authorization"] == "Bearer key-2"
        for wrong in ({}, {"order": 7}, {"order": "7", "url": "https://x.example"}):
            with pytest.raises(ToolCallError):
                await box.call(calling, "order_status", wrong)
