"""The client of the engine's API."""

import httpx
import pytest

from data.errors import ConflictError, ForbiddenError, NotFoundError, PosternError
from data.records.mail.orders import Approve
from data.refusals import EngineDownError, RefusedError, SignedOutError
from data.states import CaseState
from tests.core.window.engine import TOKEN, Refused, World
from tests.core.window.fixtures import Served
from ui.core.api.client import ApiClient
from ui.core.api.organization_client import OrganizationClient
from ui.mail.api.cases import Filters
from ui.mail.api.desk import MailDesk


@pytest.fixture
def desk(served: Served) -> MailDesk:
    """Return the stand-in's only organization."""
    sender = ApiClient(f"http://127.0.0.1:{served.port}", TOKEN)
    return MailDesk(OrganizationClient(sender, "kettle-and-chain"))


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, SignedOutError),
        (403, ForbiddenError),
        (404, NotFoundError),
        (409, ConflictError),
        (422, RefusedError),
        (503, EngineDownError),
        (500, RefusedError),
    ],
)
def test_each_refusal_is_an_error_of_ours(
    status: int, kind: type[PosternError], desk: MailDesk, world: World
) -> None:
    """Every status has its error, with the engine's own sentence."""
    world.refusals["/overview"] = Refused(status, "AnyError", "the sentence from the engine")
    with pytest.raises(kind, match="the sentence from the engine"):
        desk.reports.overview()


def test_an_answer_that_is_not_ours_still_gives_a_sentence() -> None:
    """A proxy's page of HTML does not surprise the client."""

    def gateway(request: httpx.Request) -> httpx.Response:
        return httpx.Response(502, html="<h1>Bad gateway</h1>")

    transport = httpx.MockTransport(gateway)
    with pytest.raises(RefusedError, match="answered 502"):
        ApiClient("http://engine.example", "t", transport).me()


@pytest.mark.parametrize(
    ("status", "headers", "content"),
    [
        (200, {}, b"<h1>Sign in to this network</h1>"),
        (302, {"Location": "https://sign-in.example/"}, b""),
        (200, {}, b'{"name": "another service"}'),
        (200, {"Content-Encoding": "gzip"}, b"no gzip"),
    ],
)
def test_what_is_no_engine_is_named(status: int, headers: dict[str, str], content: bytes) -> None:
    """What answers at the address in the engine's place is told, not drawn as a stack trace."""

    def other(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(content))

    transport = httpx.MockTransport(other)
    client = ApiClient("http://engine.example", "t", transport)
    with pytest.raises(RefusedError, match=r"'http://engine\.example'"):
        client.me()


def test_an_order_of_a_wrong_form_is_told_what_is_wrong() -> None:
    """What the engine says of a field is passed on."""

    def unfit(request: httpx.Request) -> httpx.Response:
        wrong = {"type": "missing", "loc": ["body", "sender"], "msg": "Field required"}
        return httpx.Response(422, json={"detail": [wrong]})

    transport = httpx.MockTransport(unfit)
    with pytest.raises(RefusedError, match="sender: Field required"):
        ApiClient("http://engine.example", "t", transport).me()


def test_no_answer_names_the_address(served: Served) -> None:
    """A connection that is refused says where the engine was looked for."""
    served.close()
    with pytest.raises(EngineDownError, match=f"127.0.0.1:{served.port}"):
        ApiClient(f"http://127.0.0.1:{served.port}", TOKEN).me()


def test_lists_come_as_records_with_their_total(desk: MailDesk) -> None:
    """A page of a list holds records and knows how many there are."""
    found = desk.cases.queue(Filters(), limit=2)
    assert [item.case_id for item in found.items] == ["case-1", "case-2"]
    assert found.total == 3


def test_only_filters_that_are_set_are_sent(desk: MailDesk, world: World) -> None:
    """Empty filters do not reach the engine."""
    desk.cases.queue(Filters(priority="urgent", q="chain & ring"))
    assert world.calls[-1][2] == {
        "priority": "urgent",
        "q": "chain & ring",
        "limit": "25",
        "offset": "0",
    }


def test_an_id_cannot_leave_its_place_in_the_path(desk: MailDesk, world: World) -> None:
    """Slashes and dots in an id stay within one part of the path."""
    with pytest.raises((NotFoundError, RefusedError)):
        desk.messages.read("../../me")
    assert not world.calls[-1][1].endswith("/v1/me")


def test_an_approval_sends_version_and_hash(desk: MailDesk, world: World) -> None:
    """What a person signs is what was shown."""
    shown = desk.cases.read("case-1")
    answer = desk.cases.approve(
        "case-1", Approve(version=shown.version, approval_hash=shown.approval_hash)
    )
    assert answer.state is CaseState.APPROVED
    assert world.done("/approve") == [
        {
            "version": 3,
            "approval_hash": shown.approval_hash,
            "subject": None,
            "body": None,
            "confirmed": False,
            "leave": None,
            "follow_up_days": None,
        }
    ]


def test_bytes_come_as_they_are(desk: MailDesk) -> None:
    """Raw mail and attachments are not decoded."""
    assert desk.messages.raw("news-1") == b"Subject: news-1\r\n\r\n"
    assert desk.messages.attachment("held-1", "5" * 64) == b"5" * 64


def test_what_waits_for_others_may_take_minutes() -> None:
    """Erasing waits two minutes for mail in work; a list that takes so long is away."""
    waits: dict[str, float] = {}

    def answer(request: httpx.Request) -> httpx.Response:
        waits[request.url.path] = request.extensions["timeout"]["read"]
        return httpx.Response(503)

    client = ApiClient("http://engine.example", "t", httpx.MockTransport(answer))
    with pytest.raises(EngineDownError):
        MailDesk(OrganizationClient(client, "teasel")).contacts.erase(
            "mara@heron.example", keep_learned=False
        )
    with pytest.raises(EngineDownError):
        client.me()
    assert waits == {"/v1/teasel/contact/erase": 300.0, "/v1/me": 20.0}
