//! Rust source reduced to its code: comments and the insides of literals become blanks.
//!
//! Line numbers stay what they were. This is no parser: it knows just enough to keep a word in a
//! comment or a string from being taken for code.

/// The code of a source file, line by line as before.
pub fn code(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let skipped = comment(rest).or_else(|| literal(rest, out.chars().last()));
        if let Some(length) = skipped {
            out.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[length..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// The code of a file without its items that are compiled for tests alone. Line numbers stay; tests at the end leave no lines.
pub fn code_without_tests(source: &str) -> String {
    let code = code(source);
    let mut out = String::with_capacity(code.len());
    let mut rest = code.as_str();
    while let Some(at) = start_of_test_item(rest) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = TEST_ONLY.len() + length_of_item(&rest[TEST_ONLY.len()..]);
        let (item, after) = rest.split_at(length);
        if after.trim().is_empty() {
            return out;
        }
        out.extend(item.chars().filter(|c| *c == '\n'));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The attribute of an item that only tests see.
const TEST_ONLY: &str = "#[cfg(test)]";

/// Where the next item that only tests see begins, at the start of a line.
fn start_of_test_item(code: &str) -> Option<usize> {
    let at = |(at, _)| at == 0 || code[..at].ends_with('\n');
    code.match_indices(TEST_ONLY).find(|found| at(*found)).map(|(at, _)| at)
}

/// Length of the item that starts here: up to its semicolon, or to the brace that closes it.
fn length_of_item(code: &str) -> usize {
    let mut depth = 0_i32;
    for (at, c) in code.char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        // The braces of an import end with a semicolon.
        if depth == 0 && (c == ';' || c == '}' && !code[at + 1..].starts_with(';')) {
            return at + 1;
        }
    }
    code.len()
}

/// Whether `word` stands in `text` with no letter, digit or underscore beside it.
pub fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(part)
            && !text[at + word.len()..].chars().next().is_some_and(part)
    })
}

/// A struct with named fields.
#[derive(Debug, PartialEq, Eq)]
pub struct Struct<'c> {
    pub name: &'c str,
    /// The line on which it begins, counted from 1.
    pub line: usize,
    pub fields: usize,
}

/// The structs with named fields in `code`, which is without comments and literals.
pub fn structs(code: &str) -> Vec<Struct<'_>> {
    let starts = code.match_indices("struct ").filter(|(at, _)| !code[..*at].ends_with(is_part_of_word));
    let found = starts.filter_map(|(at, keyword)| {
        let rest = &code[at + keyword.len()..];
        let name = &rest[..rest.find(|c| !is_part_of_word(c))?];
        let body = &rest[rest.find(['{', ';', '('])?..];
        let body = body.strip_prefix('{')?;
        Some(Struct { name, line: 1 + code[..at].matches('\n').count(), fields: fields(body) })
    });
    found.collect()
}

/// How many fields there are up to the brace that closes the struct: each has a colon of its own, outside of all brackets.
fn fields(body: &str) -> usize {
    let (mut depth, mut colons) = (0_i32, 0);
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        match c {
            '}' if depth == 0 => break,
            '{' | '(' | '[' | '<' => depth += 1,
            // The head of an arrow closes nothing.
            '-' if rest.starts_with("->") => rest = &rest[1..],
            '}' | ')' | ']' | '>' => depth -= 1,
            ':' if rest.starts_with("::") => rest = &rest[1..],
            ':' if depth == 0 => colons += 1,
            _ => {}
        }
        rest = &rest[c.len_utf8().min(rest.len())..];
    }
    colons
}

const fn is_part_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Length of the comment that starts here.
fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match &rest.as_bytes()[at..rest.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" if depth == 1 => return Some(at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    Some(rest.len())
}

/// Length of the string or character literal that starts here, after the character `before`.
fn literal(rest: &str, before: Option<char>) -> Option<usize> {
    let in_name = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if rest.starts_with('r') && !in_name {
        let hashes = rest[1..].bytes().take_while(|b| *b == b'#').count();
        if rest[1 + hashes..].starts_with('"') {
            let close = format!("\"{}", "#".repeat(hashes));
            let body = &rest[2 + hashes..];
            return Some(2 + hashes + body.find(&close).map_or(body.len(), |end| end + close.len()));
        }
    }
    if let Some(body) = rest.strip_prefix('"') {
        return Some(1 + until_unescaped(body, '"'));
    }
    // `'a'` and `'\n'` are characters, `'a` is a lifetime.
    let mut after = rest.strip_prefix('\'')?.chars();
    match after.next()? {
        '\\' => Some(1 + until_unescaped(&rest[1..], '\'')),
        c if after.next() == Some('\'') => Some(2 + c.len_utf8()),
        _ => None,
    }
}

/// Length up to and with the first `quote` that no backslash escapes.
fn until_unescaped(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !escaped {
            return at + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blank_and_lines_stay() {
        let source = "let a = \"unsafe \\\" one\"; // unsafe two\n/* unsafe /* three */ unsafe */ let b = r#\"unsafe \" four\"#;\n\
                      fn f<'a>(c: &'a str) -> char { 'u' } let q = '\\''; let r = b\"unsafe\";\nfor unsafe_code in x {}\n";
        let code = code(source);
        assert!(!has_word(&code, "unsafe"), "{code}");
        assert_eq!(code.lines().count(), source.lines().count());
        assert!(
            code.contains("let b =") && code.contains("<'a>(c: &'a str)") && code.contains("let q ="),
            "{code}"
        );
    }

    #[test]
    fn code_between_literals_is_kept() {
        assert!(has_word(&code("call(\"a\", unsafe { f('x') }, \"b\")"), "unsafe"));
        assert!(has_word(&code("let bar\" \"; unsafe {}"), "unsafe"));
    }

    #[test]
    fn tests_are_left_out_wherever_they_stand_and_the_rest_keeps_its_lines() {
        let source = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() {} }\n";
        assert_eq!(code_without_tests(source), "fn a() {}\n");
        assert_eq!(code_without_tests("fn a() {}\n"), "fn a() {}\n");
        let above = "#[cfg(test)]\nmod testing;\n#[cfg(test)]\nuse b::{c, d};\nfn a() { println!() }\n#[cfg(test)]\nmod tests {\n}\n";
        assert_eq!(code_without_tests(above), "\n\n\n\nfn a() { println!() }\n");
    }

    #[test]
    fn fields_are_counted_whatever_their_types() {
        let source = "struct Unit;\nstruct Pair(u8, a::B);\npub struct Many<'a, T: Into<u8>> {\n    #[serde(with = \"x: y\")]\n    // g: u8,\n    \
                      pub a: Box<dyn Fn(u8) -> [a::B; 2] + 'a>,\n    b: (u8, T), r#c: HashMap<u8, T>,\n}\nstruct One { a: u8 }\n";
        let code = code(source);
        let many = Struct { name: "Many", line: 3, fields: 3 };
        assert_eq!(structs(&code), [many, Struct { name: "One", line: 9, fields: 1 }]);
    }

    #[test]
    fn a_word_is_not_a_part_of_a_word() {
        assert!(has_word("x = unsafe{", "unsafe") && has_word("unsafe", "unsafe"));
        assert!(!has_word("unsafe_code", "unsafe") && !has_word("an_unsafe", "unsafe"));
    }
}
