//! The little XML that VTU and PVD files need.
//!
//! Reading understands what this crate writes: tags with attributes in double quotes, comments
//! and declarations skipped.

pub use carom_draw::xml::escape;

/// The inverse of [`escape`].
pub fn unescape(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")
}

/// One tag: its name (with a leading slash where it closes) and its attributes, unparsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// `Piece`, or `/Piece`.
    pub name: &'a str,
    attributes: &'a str,
}

impl Tag<'_> {
    /// The value of an attribute.
    pub fn attribute(&self, key: &str) -> Option<String> {
        let mut rest = self.attributes;
        while let Some((name, after)) = rest.split_once("=\"") {
            let (value, after) = after.split_once('"')?;
            if name.trim() == key {
                return Some(unescape(value));
            }
            rest = after;
        }
        None
    }
}

/// The tags of `text`, in order.
pub fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    text.split('<').skip(1).filter_map(|piece| {
        let inside = piece.split('>').next()?;
        let inside = inside.strip_suffix('/').unwrap_or(inside);
        if inside.starts_with(['?', '!']) {
            return None;
        }
        let end = inside.find(char::is_whitespace).unwrap_or(inside.len());
        Some(Tag { name: &inside[..end], attributes: &inside[end..] })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_comes_back() {
        let text = r#"a < b & "c" > &lt;"#;
        assert!(!escape(text).contains(['<', '>', '"']));
        assert_eq!(unescape(&escape(text)), text);
    }

    #[test]
    fn tags_come_in_order_with_their_attributes() {
        let text = r#"<?xml version="1.0"?><!-- c --><A x="1" name="p&amp;q"><B/></A>"#;
        let found: Vec<Tag<'_>> = tags(text).collect();
        assert_eq!(found.iter().map(|t| t.name).collect::<Vec<_>>(), ["A", "B", "/A"]);
        assert_eq!(found[0].attribute("name").as_deref(), Some("p&q"));
        assert_eq!(found[0].attribute("x").as_deref(), Some("1"));
        assert_eq!(found[0].attribute("y"), None);
    }
}
