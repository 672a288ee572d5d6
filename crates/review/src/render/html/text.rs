//! Text in a page: escaped when it is written, so that no name can become markup.

use std::fmt;

/// A text that is written with escapes for what means something in HTML.
#[derive(Copy, Clone, Debug)]
pub(super) struct Text<'a>(pub &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
            f.write_str(&rest[..at])?;
            f.write_str(match rest.as_bytes()[at] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'"' => "&quot;",
                _ => "&#39;",
            })?;
            rest = &rest[at + 1..];
        }
        f.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        let text = Text("<b onclick='x'>\"A & B\"</b>").to_string();
        assert_eq!(text, "&lt;b onclick=&#39;x&#39;&gt;&quot;A &amp; B&quot;&lt;/b&gt;");
        assert_eq!(Text("Müller").to_string(), "Müller");
    }
}
