mod chart;
mod color;
mod content;
mod ticks;

/// Checks tags, attributes and entities as an XML parser does.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg.trim_end();
    while let Some(at) = rest.find('<') {
        assert_text(&rest[..at]);
        let end = rest[at..].find('>').map_or_else(|| panic!("a tag is not closed"), |end| at + end);
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closing tag");
            continue;
        }
        let (tag, self_closing) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphabetic()), "tag {name}");
        assert_attributes(attributes);
        if !self_closing {
            open.push(name);
        }
    }
    assert_text(rest);
    assert!(open.is_empty(), "unclosed tags: {open:?}");
    // The base64 text of an image can contain anything.
    let images = svg.split("base64,").skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
    let drawn = images.fold(svg.to_owned(), |drawn, image| drawn.replacen(image, "", 1));
    assert!(
        !drawn.contains("NaN") && !drawn.contains("inf\"") && !drawn.contains("inf "),
        "a number is not finite"
    );
}

fn assert_attributes(mut attributes: &str) {
    let mut seen = Vec::new();
    while !attributes.trim().is_empty() {
        let (name, after) = attributes.trim_start().split_once("=\"").expect("a quoted attribute value");
        assert!(name.chars().all(|c| c.is_ascii_alphabetic() || c == '-'), "attribute {name}");
        assert!(!seen.contains(&name), "attribute {name} twice");
        seen.push(name);
        let (value, after) = after.split_once('"').expect("a closing quote");
        assert_text(value);
        assert!(after.is_empty() || after.starts_with(' '), "a space between attributes");
        attributes = after;
    }
}

fn assert_text(text: &str) {
    assert!(!text.contains(['<', '>']));
    for part in text.split('&').skip(1) {
        let entity = part.split_once(';').map(|(entity, _)| entity);
        assert!(matches!(entity, Some("amp" | "lt" | "gt" | "quot" | "#39")), "entity {entity:?}");
    }
    assert!(text.chars().all(|c| !c.is_control() || c == '\n'));
}

/// The text of every `<text>`, in order.
fn labels(svg: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = svg.split("</text>").collect();
    parts.pop();
    parts.into_iter().filter_map(|part| part.rsplit_once('>')).map(|(_, label)| label).collect()
}

/// The `d` of every path stroked as a curve of a series.
fn curves(svg: &str) -> Vec<&str> {
    svg.lines()
        .filter(|line| {
            line.starts_with("<path") && line.contains("class=\"sc") && line.contains("stroke-linejoin")
        })
        .filter_map(|line| line.split('"').nth(1))
        .collect()
}
