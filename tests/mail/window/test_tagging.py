"""Tags of several cases in the review queue, over the real engine."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.core.window.drawn import button, says
from tests.core.window.real_engine import Engine, engine, window

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


def test_picked_cases_are_tagged_and_the_queue_is_narrowed_by_a_tag(
    engine: Engine, window: Opener
) -> None:
    """A new word is a tag; it stands on the line, narrows the list, and is taken away again."""
    for guest in ("mara", "jon"):
        engine.receive("When is the workshop open?", sender=f"{guest}@heron.example")
    app = window("review")
    button(app, "several-begin").click().run()
    app.segmented_control(key="several-action").set_value("tag").run()
    boxes = [one.key for one in app.checkbox if str(one.key).startswith("several-tag-")]
    assert len(boxes) == 2
    button(app, "several-pick-all").click().run()
    assert all(app.checkbox(key=box).value for box in boxes)
    app.checkbox(key=boxes[1]).uncheck().run()
    assert button(app, "several-now").disabled
    app.multiselect(key="several-tags-add").set_value(["warranty"]).run()
    button(app, "several-now").click().run()
    assert not app.exception
    assert says(app, "1 case tagged.")
    assert says(app, "#warranty")
    rows = engine.run(engine.line.rows("SELECT tag FROM thread_tags WHERE added_by = 'admin'"))
    assert [row["tag"] for row in rows] == ["warranty"]
    app = window("review")
    app.selectbox(key="filter-tag").select("warranty").run()
    assert says(app, "1 case")
    button(app, "several-begin").click().run()
    app.segmented_control(key="several-action").set_value("tag").run()
    (box,) = [one.key for one in app.checkbox if str(one.key).startswith("several-tag-")]
    app.checkbox(key=box).check().run()
    app.multiselect(key="several-tags-remove").set_value(["warranty"]).run()
    button(app, "several-now").click().run()
    assert not app.exception
    rows = engine.run(engine.line.rows("SELECT tag FROM thread_tags WHERE added_by = 'admin'"))
    assert rows == []
