//! The page as a whole: written game by game, so that thousands of them need no more memory than
//! one.

use std::io::{self, Write};

use chess::{Color, Position};
use game::Game;

use super::arithmetic::summary;
use super::board::SQUARES;
use super::cards::cards;
use super::course::graph;
use super::moves::moves;
use super::text::Text;
use crate::GameReport;
use crate::render::heading::{method, occasion, opening, player};
use crate::render::terms::Terms;
use crate::words::{self, Language, Numbering};

const CSS: &str = include_str!("page.css");

/// A web page of reports. It is complete after [`end`](Self::end).
#[derive(Debug)]
pub struct Page<W> {
    out: W,
    language: Language,
    games: usize,
}

impl<W: Write> Page<W> {
    /// Starts a page.
    pub fn begin(mut out: W, language: Language) -> io::Result<Self> {
        let terms = Terms::of(language);
        write!(
            out,
            "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{}</title>\n<style>\n{CSS}</style>\n</head>\n<body>\n{SQUARES}\n<h1>{1}</h1>\n",
            terms.code,
            Text(terms.title),
        )?;
        Ok(Self { out, language, games: 0 })
    }

    /// Adds a game. This side's figures come first, and it plays from below on the boards. Only the
    /// first game is unfolded.
    pub fn add(&mut self, game: &Game, report: &GameReport, first: Color) -> io::Result<()> {
        self.games += 1;
        let (terms, prefix) = (Terms::of(self.language), format!("g{}", self.games));
        let open = if self.games == 1 { " open" } else { "" };
        let [white, black] = Color::ALL.map(|color| player(game, color, terms));
        writeln!(
            self.out,
            "<details class=\"game\" id=\"{prefix}\"{open}><summary><b>{} – {}</b> {}</summary>",
            Text(&white),
            Text(&black),
            report.result,
        )?;
        let about = [occasion(game), opening(report).unwrap_or_default(), method(report, terms)];
        for line in about.iter().filter(|line| !line.is_empty()) {
            writeln!(self.out, "<p class=\"about\">{}</p>", Text(line))?;
        }
        if report.moves.is_empty() {
            return writeln!(self.out, "<p>{}</p></details>", Text(terms.no_moves));
        }
        let numbers = Numbering::of(game.tree.start());
        let positions: Vec<Position> = game.line().positions().cloned().collect();
        let text = words::summary(report, self.language);
        writeln!(self.out, "{}", graph(report, numbers, self.language, &prefix))?;
        writeln!(self.out, "<p>{}</p>\n<div class=\"columns\">", Text(&text))?;
        let summary = summary(game, report, self.language, first);
        writeln!(self.out, "<section class=\"summary\">{summary}</section>")?;
        let moves = moves(report, numbers, self.language, &prefix);
        writeln!(self.out, "<section><h2>{}</h2>{moves}</section>", Text(terms.moves))?;
        let cards = cards(report, &positions, self.language, first, &prefix);
        writeln!(self.out, "<section class=\"cards\">{cards}</section></div></details>")
    }

    /// Ends the page, and returns what it was written to.
    pub fn end(mut self) -> io::Result<W> {
        writeln!(self.out, "</body>\n</html>")?;
        self.out.flush()?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing;

    fn page(games: &[(Game, GameReport)], language: Language) -> String {
        let mut page = Page::begin(Vec::new(), language).expect("memory");
        for (game, report) in games {
            page.add(game, report, Color::White).expect("memory");
        }
        String::from_utf8(page.end().expect("memory")).expect("text")
    }

    #[test]
    fn a_page_needs_nothing_from_elsewhere() {
        let text = page(&[testing::sample()], Language::English);
        for foreign in ["http://", "https://", "<script", "<link", "src=", "@import"] {
            assert!(!text.contains(foreign), "{foreign}");
        }
        assert!(text.starts_with("<!doctype html>") && text.ends_with("</html>\n"));
    }

    #[test]
    fn every_element_is_closed() {
        let text = page(&[testing::sample(), testing::sample()], Language::German);
        for name in ["details", "section", "div", "article", "svg", "table", "p", "a", "b", "h3"] {
            let opened = text.matches(&format!("<{name}>")).count()
                + text.matches(&format!("<{name} ")).count();
            assert_eq!(opened, text.matches(&format!("</{name}>")).count(), "{name}");
        }
        assert!(text.contains("id=\"g1-5\"") && text.contains("id=\"g2-5\""));
        assert_eq!(text.matches(" open>").count(), 1);
    }

    #[test]
    fn names_are_text() {
        let (mut game, report) = testing::sample();
        game.tags.set("White", "<img src=x onerror=alert(1)>");
        game.tags.set("Event", "\"><script>");
        let text = page(&[(game, report)], Language::English);
        assert!(!text.contains("<img") && !text.contains("<script"), "{text}");
    }
}
