//! Text tables with aligned columns.

/// Formats a table with headers. Columns whose cells all start with a number or are empty are right-aligned.
pub(crate) fn table(headers: &[&str], rows: &[Vec<String>]) -> String {
    let is_numeric = |column: &usize| {
        let starts_with_number = |cell: &String| {
            cell.trim_start_matches(['-', '+']).starts_with(|ch: char| ch.is_ascii_digit()) || cell.is_empty()
        };
        rows.iter().filter_map(|row| row.get(*column)).all(starts_with_number)
    };
    let left: Vec<usize> = (0..headers.len()).filter(|column| !is_numeric(column)).collect();
    let headers = headers.iter().map(|&header| header.to_owned()).collect();
    let lines: Vec<Vec<String>> = std::iter::once(headers).chain(rows.iter().cloned()).collect();
    align_columns(&lines, &left)
}

/// Formats lines of cells; the columns in `left` are left-aligned, all others right-aligned.
pub(crate) fn align_columns(lines: &[Vec<String>], left: &[usize]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for line in lines {
        let cells = line.iter().enumerate().map(|(i, cell)| {
            let pad = " ".repeat(widths[i] - cell.chars().count());
            if left.contains(&i) { format!("{cell}{pad}") } else { format!("{pad}{cell}") }
        });
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_left_aligned_and_numbers_are_right_aligned() {
        let rows = vec![vec!["a".to_owned(), "10".to_owned()], vec!["bcd".to_owned(), "-5".to_owned()]];
        assert_eq!(table(&["name", "n"], &rows), "name   n\na     10\nbcd   -5\n");
    }
}
