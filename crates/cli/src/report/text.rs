//! Text and tables as HTML.

/// Text as HTML takes it, in elements and in attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c if c.is_control() && c != '\n' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Text with its `code` marked.
pub fn with_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let mark = |(at, part): (usize, &str)| match at % 2 {
        1 => format!("<code>{}</code>", escape(part)),
        _ => escape(part),
    };
    parts.map(mark).collect()
}

/// A table that becomes a list of cards where it is narrow. Cells are HTML.
pub fn table(heads: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = String::from("<table>\n<thead><tr>");
    for head in heads {
        text += &format!("<th>{head}</th>");
    }
    text += "</tr></thead>\n<tbody>\n";
    for row in rows {
        text += "<tr>";
        for (head, cell) in heads.iter().zip(row) {
            text += &format!("<td data-of=\"{head}\"><span>{cell}</span></td>");
        }
        text += "</tr>\n";
    }
    text + "</tbody>\n</table>\n"
}

/// A gain: `x1.43`; a dash where there is none.
pub fn times(gain: Option<f64>) -> String {
    gain.map_or_else(|| "–".to_string(), |g| format!("x{g:.2}"))
}

/// `4,096`.
pub fn grouped(n: i64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            escape("<a href=\"x\">'&\u{1b}"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\u{fffd}"
        );
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [5, 512, 4096, 1_234_567].map(grouped),
            ["5", "512", "4,096", "1,234,567"]
        );
    }
}
