"""Text in the format *flowed*: lines that may be joined to paragraphs (RFC 3676)."""

from tasks.core.parse.part_tree import MimePart


def is_flowed(part: MimePart) -> bool:
    """Whether the lines of a text part may be joined (RFC 3676 section 4)."""
    return part.type_parameters.get("format", "").lower() == "flowed"


def unflow(text: str, part: MimePart) -> str:
    """Return format=flowed text with its soft line breaks joined (RFC 3676 section 4.2).

    A line that was stuffed with a space because it begins with `>` is no quotation (section 4.4):
    it keeps the space. The mark that programs put before `From ` at the beginning of a line goes.
    """
    join_without_space = part.type_parameters.get("delsp", "").lower() == "yes"
    paragraphs: list[list[str]] = []
    open_depth = -1
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        stuffed = content.startswith(" ")
        content = content.removeprefix(" ")
        if stuffed and not depth and content.startswith(">"):
            content = content[1:] if content.startswith(">From ") else f" {content}"
        soft = content.endswith(" ") and content != "-- "
        shown = content[:-1] if soft and join_without_space else content
        if depth == open_depth and content != "-- ":
            paragraphs[-1].append(shown)
        else:
            paragraphs.append(["> " * depth, shown])
        open_depth = depth if soft else -1
    return "\n".join("".join(pieces) for pieces in paragraphs)
