"""What the pages of agents say, where they once said something else than what was so."""

from streamlit.testing.v1 import AppTest


def test_a_long_difference_says_how_much_of_it_is_not_shown() -> None:
    """Lines that stand around a change are not called different."""

    def page() -> None:
        from data.records.agents.agents import Difference
        from ui.agents.widgets.agent.versions import SHOWN_LINES, draw_difference

        text = "\n".join(["+hue: red", *([" size: 1"] * SHOWN_LINES)])
        draw_difference(Difference(before="1", after="2", text=text), "test")

    app = AppTest.from_function(page, default_timeout=90).run()
    assert [caption.value for caption in app.caption] == ["Not shown: 1 more line."]
