//! What the schema knows of keys, for programs that do without it: nothing.

/// A key that no scene has.
pub struct UnknownKey<'k> {
    /// The first part that is not known.
    pub key: &'k str,
    /// The table of the key, in words.
    pub of: String,
    /// The keys that exist there.
    pub known: Vec<String>,
}

/// No key is described.
pub fn describe(_: &[String]) -> Option<String> {
    None
}

/// Any key may be there: reading the scene tells.
#[expect(clippy::unnecessary_wraps, reason = "with the schema it refuses keys")]
pub fn check_key<'k>(_: &[&'k str]) -> Result<(), UnknownKey<'k>> {
    Ok(())
}
