//! The binary container: a header, a chunk of JSON, a chunk of bytes. And bytes in a URI.

use crate::{Fault, remedy};

/// Parts of a binary file.
pub struct Parts<'a> {
    pub json: &'a [u8],
    pub binary: Option<&'a [u8]>,
}

const MAGIC: u32 = 0x4654_6c67;
const JSON: u32 = 0x4e4f_534a;
const BINARY: u32 = 0x004e_4942;

/// Opens a `.glb` file.
pub fn open(bytes: &[u8]) -> Result<Parts<'_>, Fault> {
    let word = |at: usize| -> Option<u32> { Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)) };
    let (Some(magic), Some(version), Some(length)) = (word(0), word(4), word(8)) else {
        return Err(Fault::new(format!("{} bytes are too few for a header", bytes.len()), remedy::CUT));
    };
    if magic != MAGIC {
        return Err(Fault::new("the file does not start with `glTF`", remedy::DAMAGED));
    }
    if version != 2 {
        let message = format!("version {version} of the binary container is not read");
        return Err(Fault::new(message, "export it as glTF 2.0"));
    }
    if length as usize != bytes.len() {
        let message = format!("the header announces {length} bytes, but there are {}", bytes.len());
        return Err(Fault::new(message, remedy::CUT));
    }
    let mut chunks = Vec::new();
    let mut at = 12;
    while at < bytes.len() {
        let (Some(length), Some(kind)) = (word(at), word(at + 4)) else {
            return Err(Fault::new(
                format!("the file ends in the head of a chunk at byte {at}"),
                remedy::CUT,
            ));
        };
        let Some(chunk) = bytes[at + 8..].get(..length as usize) else {
            let message = format!("the chunk at byte {at} announces {length} bytes, more than there are");
            return Err(Fault::new(message, remedy::CUT));
        };
        chunks.push((kind, chunk));
        at += 8 + chunk.len();
    }
    match chunks.as_slice() {
        [(JSON, json), rest @ ..] => {
            let binary = rest.first().filter(|(kind, _)| *kind == BINARY).map(|(_, chunk)| *chunk);
            Ok(Parts { json, binary })
        }
        _ => Err(Fault::new("the first chunk is not JSON", remedy::DAMAGED)),
    }
}

/// The bytes in a URI `data:…;base64,…`, or `None` if it is the name of a file.
pub fn data_uri(uri: &str) -> Option<Result<Vec<u8>, Fault>> {
    let data = uri.strip_prefix("data:")?;
    let Some((_, base64)) = data.split_once(";base64,") else {
        return Some(Err(Fault::new("a data URI is not in base64", remedy::DAMAGED)));
    };
    Some(
        decode_base64(base64)
            .ok_or_else(|| Fault::new("the base64 of a data URI is damaged", remedy::DAMAGED)),
    )
}

fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    if text.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut bits = 0_u32;
        for letter in group {
            let value = match letter {
                b'A'..=b'Z' => letter - b'A',
                b'a'..=b'z' => letter - b'a' + 26,
                b'0'..=b'9' => letter - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        bits <<= 6 * (4 - group.len());
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}

/// The name of a file in a URI, with percent-encoded characters decoded.
pub fn file_name(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut name = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hexadecimal = uri.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[at], hexadecimal) {
            (b'%', Some(byte)) => {
                name.push(byte);
                at += 3;
            }
            (byte, _) => {
                name.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_with_and_without_padding() {
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg", "foob"),
            ("Zm9vYmE", "fooba"),
        ] {
            assert_eq!(decode_base64(text).as_deref(), Some(bytes.as_bytes()));
        }
        for damaged in ["Z", "Zm9v!", "Zm9vY"] {
            assert_eq!(decode_base64(damaged), None);
        }
    }

    #[test]
    fn a_uri_is_data_or_the_name_of_a_file() {
        assert_eq!(data_uri("data:text/plain;base64,Zm8=").unwrap().unwrap(), b"fo");
        assert!(data_uri("data:text/plain,fo").unwrap().is_err());
        assert!(data_uri("my%20mesh.bin").is_none());
        assert_eq!(file_name("my%20mesh%.bin%"), "my mesh%.bin%");
    }
}
