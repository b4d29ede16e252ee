"""Pages of elements that the navigation does not name come after those that it names: a new element is one page, and no more."""

from pathlib import Path


def on_config(config):
    section = next(part["Elements"] for part in config.nav if isinstance(part, dict) and "Elements" in part)
    named = {path for part in section for path in (part.values() if isinstance(part, dict) else [part])}
    pages = sorted(f"elements/{page.name}" for page in Path(config.docs_dir, "elements").glob("*.md"))
    section.extend(page for page in pages if page not in named)
