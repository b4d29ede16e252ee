//! The front page of the documentation, that of the repository and the guide to the library show the same example.

/// The first block of code in a text.
fn first_example(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| !line.starts_with("```")).skip(1);
    lines.take_while(|line| !line.starts_with("```")).collect()
}

#[test]
fn readme_and_guide_show_the_example_that_the_documentation_runs_in_at_most_twenty_lines() {
    let comment =
        |line: &'static str| line.strip_prefix("//!").map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
    let documentation =
        include_str!("../../src/lib.rs").lines().filter_map(comment).collect::<Vec<_>>().join("\n");
    let example = first_example(&documentation);
    assert!((1..=20).contains(&example.len()), "{}", example.len());
    for page in [include_str!("../../../../README.md"), include_str!("../../../../docs/guide/library.md")] {
        let rust = &page[page.find("```rust").expect("the page has an example")..];
        assert_eq!(first_example(rust), example);
    }
}
