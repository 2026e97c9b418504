"""The API's page in a house without a network of others."""

from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from tests.core.api.fixtures import Api


async def test_the_page_of_the_api_takes_everything_from_the_engine(api: Api) -> None:
    """Its script, its style and its picture are served beside it; it names no outside host."""
    page = await api.client.get("/docs")
    assert page.status_code == 200
    tree = LexborHTMLParser(page.text)
    wanted = [
        node.attributes.get("src") or node.attributes.get("href")
        for node in tree.css("script[src], link[href], img[src]")
    ]
    assert len(wanted) >= 3
    for address in wanted:
        assert address
        assert not urlsplit(address).netloc, address
        found = await api.client.get(address)
        assert found.status_code == 200, address
        assert found.content
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "/openapi.json" in page.text
