//! Text inside XML.

use std::borrow::Cow;

/// `text` with the characters that XML reserves written out.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"']) {
        return Cow::Borrowed(text);
    }
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    Cow::Owned(escaped.replace('"', "&quot;"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_is_not_copied() {
        assert!(matches!(escape("plain"), Cow::Borrowed("plain")));
        assert_eq!(escape("a < b"), "a &lt; b");
    }
}
