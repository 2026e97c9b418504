"""The form that says who thinks: provider, address, models, key and prices, tried and kept."""

import zlib

import streamlit as st

from data.records.core.kept_settings import SettingsChange
from data.records.core.model_views import ModelSetup, TryModel
from ui.core.chips import chips, make_muted
from ui.core.session import attempt, core_desk, say
from ui.core.widgets.conflict_forms import change_from, pin_form
from ui.core.widgets.price_fields import price_fields, typed_prices

PROVIDERS = {
    "local": "Postern by itself",
    "anthropic": "Anthropic",
    "openai": "A server that speaks chat completions",
}
CLASSES = {
    "fast": "Fast model, for screening, understanding and summaries",
    "capable": "Capable model, for plans, drafts and chats",
}
DIALECTS = {"full": "all of it", "plain": "a part, as llama-cpp-python does"}
TRIED = "model-tried"


def model_form(setup: ModelSetup) -> None:
    """Draw the form, with a test call of what is written there, or say where it is set."""
    if not setup.changeable:
        chips(
            make_muted(
                "It is set in postern.toml or the environment; change it there, and restart."
            )
        )
        return
    mark = str(zlib.crc32(setup.model_dump_json(exclude={"trouble"}).encode()))
    mark = pin_form("models", mark)
    st.session_state["models-mark"] = mark
    provider = st.selectbox("Who thinks", list(PROVIDERS),
                            index=list(PROVIDERS).index(setup.provider),
                            format_func=lambda item: PROVIDERS[item],
                            key=f"models-provider-{mark}")  # fmt: skip
    if provider != "local":
        _fields(setup, provider, f"{provider}-{mark}")
    with st.container(horizontal=True):
        st.button("Save", key="models-save", type="primary", on_click=_save, args=(setup,))
        if provider != "local":
            for tier in CLASSES:
                st.button(f"Test the {tier} model", key=f"models-test-{tier}",
                          icon=":material/play_arrow:", on_click=_test, args=(setup, tier),
                          help="Asks one short question with what is written here, within the "
                          "caps. Nothing is kept.")  # fmt: skip
        if setup.kept_here:
            st.button("Use the default", key="models-default", icon=":material/restart_alt:",
                      help="Nothing of it is kept here any more, the key neither: as Postern "
                      "comes, it thinks by itself.", on_click=_use_default,
                      args=(setup.kept_here,))  # fmt: skip


def _fields(setup: ModelSetup, provider: str, mark: str) -> None:
    same = provider == setup.provider
    own_server = provider == "openai"
    st.text_input("Address", setup.base_url if same else "", key=f"models-address-{mark}",
                  max_chars=500, placeholder="http://127.0.0.1:11434/v1" if own_server
                  else "empty for its own")  # fmt: skip
    own_models = {"fast": setup.model_fast, "capable": setup.model_capable}
    usual = {"fast": setup.usual_fast, "capable": setup.usual_capable}
    for tier, label in CLASSES.items():
        st.text_input(label, (own_models[tier] or setup.model) if same else "",
                      key=f"models-{tier}-{mark}", max_chars=200,
                      placeholder="" if own_server else usual[tier])  # fmt: skip
    st.text_input(
        "Key",
        key=f"models-key-{mark}",
        type="password",
        max_chars=500,
        placeholder="Leave it empty to keep the one that is there" if setup.has_key else "",
        help="It is kept in a file that only Postern's account may read, and never shown again. "
        "A key that was given for one address is never sent to another one.",
    )
    if setup.has_key:
        st.checkbox("Without a key from now on", key=f"models-keyless-{mark}")
    price_fields(setup.prices, mark)
    if own_server:
        with st.expander("For servers of your own", key=f"models-own-{mark}"):
            st.selectbox("It speaks", list(DIALECTS), index=list(DIALECTS).index(setup.dialect),
                         format_func=lambda item: DIALECTS[item],
                         key=f"models-dialect-{mark}")  # fmt: skip
            st.checkbox("It may be asked without encryption on another machine", setup.plain_http,
                        key=f"models-plain-{mark}",
                        help="Mail and key go there in the clear: only on a network of your "
                        "own.")  # fmt: skip


def _typed(setup: ModelSetup) -> SettingsChange | None:
    """Return what the form says; None, with a sentence, where a price can be none."""
    mark = str(st.session_state.get("models-mark") or "")
    provider = str(st.session_state.get(f"models-provider-{mark}") or setup.provider)
    if provider == "local":
        no_key = {"llm_api_key": ""} if setup.has_key else {}
        return SettingsChange.model_validate({"llm_provider": "local", **no_key})

    def typed(name: str) -> str:
        return str(st.session_state.get(f"models-{name}-{provider}-{mark}") or "").strip()

    prices = typed_prices(f"{provider}-{mark}")
    if prices is None:
        return None
    fields: dict[str, object] = {
        "llm_provider": provider,
        "llm_base_url": typed("address"),
        "llm_model_fast": typed("fast"),
        "llm_model_capable": typed("capable"),
        "llm_prices": prices,
    }
    if provider == "openai":
        fields["llm_dialect"] = typed("dialect") or setup.dialect
        fields["llm_plain_http"] = bool(
            st.session_state.get(f"models-plain-{provider}-{mark}", setup.plain_http)
        )
    if (key := typed("key")) or typed("keyless") == "True":
        fields["llm_api_key"] = key
    if setup.model:  # the two above say it all
        fields["llm_model"] = ""
    return SettingsChange.model_validate(fields)


def _test(setup: ModelSetup, tier: str) -> None:
    change = _typed(setup)
    if change is None:
        return
    order = TryModel.model_validate({"tier": tier, "change": change})
    st.session_state[TRIED] = attempt(lambda: core_desk().models.try_out(order))


def _save(setup: ModelSetup) -> None:
    change = _typed(setup)
    if change is None or change_from(("models",), change) is None:
        return
    mark = str(st.session_state.get("models-mark") or "")
    st.session_state[f"models-key-{change.llm_provider}-{mark}"] = ""
    st.session_state.pop(TRIED, None)
    say("done", "Kept. Postern thinks by itself from now on." if change.llm_provider == "local"
        else "Kept; it counts from the next question on.")  # fmt: skip


def _use_default(names: tuple[str, ...]) -> None:
    change = SettingsChange(defaults=names)
    if change_from(("models",), change) is not None:
        st.session_state.pop(TRIED, None)
        say("done", "The default counts again.")
