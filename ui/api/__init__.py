"""The engine's API, as the pages ask it; every call raises what `data.refusals` lists."""
