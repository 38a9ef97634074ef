use super::{Page, Section};

fn a_page() -> Page {
    Page::new("A <tour>").intro("Runs `fuzzion & co`.").footer("one machine").section(
        Section::new("Fuzzy sets")
            .text("A set & its core.")
            .command("fuzzion sets 'a < b'\n")
            .output("μ = 1")
            .figure("<svg width=\"840\"></svg>", "A caption")
            .gallery(vec!["<svg>1</svg>".into(), "<svg>2</svg>".into()], "Two & both")
            .table(&["name", "seconds"], &[vec!["low", "1.5 s"], vec!["high", "−2"]])
            .note("Mind the `gap`."),
    )
}

#[test]
fn blocks_appear_in_the_order_they_were_added() {
    let html = a_page().to_html();
    let expected = [
        "<title>A &lt;tour&gt;</title>",
        "<h1>A &lt;tour&gt;</h1>",
        "<p class=\"intro\">Runs <code>fuzzion &amp; co</code>.</p>",
        "<section id=\"fuzzy-sets\">",
        "<p>A set &amp; its core.</p>",
        "<pre class=\"command\"><code>fuzzion sets 'a &lt; b'</code></pre>",
        "<samp>μ = 1</samp>",
        "<div class=\"chart\" style=\"--width: 840px\"><svg width=\"840\"></svg></div><figcaption>A caption</figcaption>",
        "<svg>1</svg></div><div class=\"chart\" style=\"--width: 0px\"><svg>2</svg></div></div><figcaption>Two &amp; both</figcaption>",
        "<thead><tr><th>name</th><th class=\"n\">seconds</th></tr></thead>",
        "<tr><td>high</td><td class=\"n\">−2</td></tr>",
        "<aside>Mind the <code>gap</code>.</aside>",
        concat!("<footer>Fuzzion ", env!("CARGO_PKG_VERSION"), " · one machine</footer>"),
    ];
    let mut from = 0;
    for part in expected {
        let at = html[from..].find(part).unwrap_or_else(|| panic!("{part} is missing or misplaced"));
        from += at + part.len();
    }
}

#[test]
fn a_page_has_no_external_references() {
    let html = a_page().to_html();
    for reference in ["http:", "https:", "src=", "@import", "url(", "<link"] {
        assert!(!html.contains(reference), "{reference}");
    }
}

#[test]
fn sections_with_the_same_heading_get_different_anchors() {
    let page =
        Page::new("t").section(Section::new("A b")).section(Section::new("a: B!")).section(Section::new("…"));
    let html = page.to_html();
    for id in ["a-b", "a-b-2", "section"] {
        assert_eq!(html.matches(&format!("<section id=\"{id}\">")).count(), 1, "{id}");
        assert!(html.contains(&format!("<li><a href=\"#{id}\">")), "{id}");
    }
}

#[test]
fn a_page_with_one_section_has_no_table_of_contents() {
    assert!(!a_page().to_html().contains("<nav"));
}

#[test]
fn an_unpaired_backtick_stays_as_it_is() {
    let html = Page::new("t").intro("5` and `a` and `").to_html();
    assert!(html.contains("5<code> and </code>a<code> and </code>"), "{html}");
    let html = Page::new("t").intro("only ` one").to_html();
    assert!(html.contains("only ` one"));
}

#[test]
fn rows_shorter_than_the_header_are_filled_with_empty_cells() {
    let html = Page::new("t").section(Section::new("s").table(&["a", "b"], &[vec!["x"]])).to_html();
    assert!(html.contains("<tr><td>x</td><td></td></tr>"));
}
