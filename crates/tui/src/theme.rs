//! Colors, from true color down to none.

use std::env;

use ratatui::style::{Color, Modifier, Style};

/// How many colors a terminal has.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Depth {
    /// 24 bits.
    True,
    /// The 256 colors of xterm.
    Ansi256,
    /// The 16 colors of old terminals.
    Ansi16,
    /// None.
    None,
}

chess::names! { Depth { True = "truecolor", Ansi256 = "256", Ansi16 = "16", None = "none" } }

/// The colors of the board.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Theme {
    #[default]
    Brown,
    Green,
    Blue,
    Grey,
}

chess::names! { Theme { Brown = "brown", Green = "green", Blue = "blue", Grey = "grey" } }

impl Theme {
    /// The one after it.
    pub fn next(self) -> Self {
        let index = Self::ALL.iter().position(|&theme| theme == self).unwrap_or(0);
        Self::ALL[(index + 1) % Self::ALL.len()]
    }

    /// Light and dark squares: dark enough for white pieces, light enough for black ones.
    const fn squares(self) -> [Rgb; 2] {
        match self {
            Self::Brown => [(199, 165, 122), (143, 101, 68)],
            Self::Green => [(165, 178, 130), (96, 128, 80)],
            Self::Blue => [(148, 170, 190), (90, 118, 146)],
            Self::Grey => [(158, 158, 158), (104, 104, 104)],
        }
    }
}

impl Depth {
    /// How many colors the environment promises; none if `NO_COLOR` says so.
    pub fn detect() -> Self {
        let value = |name| env::var(name).unwrap_or_default();
        Self::from_environment(&value("NO_COLOR"), &value("COLORTERM"), &value("TERM"))
    }

    fn from_environment(no_color: &str, colorterm: &str, term: &str) -> Self {
        if !no_color.is_empty() || matches!(term, "" | "dumb" | "vt100" | "vt220") {
            Self::None
        } else if matches!(colorterm, "truecolor" | "24bit") || term.contains("direct") {
            Self::True
        } else if term.contains("256color") || term.contains("kitty") || term.contains("alacritty")
        {
            Self::Ansi256
        } else {
            Self::Ansi16
        }
    }
}

/// Whether the environment's text encoding has chess pieces.
pub fn has_unicode() -> bool {
    let first = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    first.is_some_and(|value| {
        let value = value.to_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

type Rgb = (u8, u8, u8);

/// What is special about a square.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// The last move left or reached it.
    Last,
    /// Its piece is to be moved.
    Selected,
    /// The selected piece can capture there.
    Capture,
    /// The suggested move.
    Hint,
    /// The premove.
    Premove,
    /// Its king is in check.
    Check,
}

impl Mark {
    /// What the square's color is mixed with, and how much of it.
    const fn tint(self) -> Option<(Rgb, u32)> {
        match self {
            Self::None => None,
            Self::Last => Some(((214, 196, 52), 55)),
            Self::Selected => Some(((72, 168, 72), 70)),
            Self::Capture => Some(((206, 96, 60), 60)),
            Self::Hint => Some(((60, 130, 220), 70)),
            Self::Premove => Some(((150, 90, 200), 65)),
            Self::Check => Some(((214, 40, 40), 80)),
        }
    }

    const fn ansi(self, light: bool) -> Color {
        match self {
            // Black and white pieces can be seen on both.
            Self::None if light => Color::Cyan,
            Self::None => Color::Green,
            Self::Last => Color::Yellow,
            Self::Selected => Color::Magenta,
            Self::Hint | Self::Premove => Color::Blue,
            Self::Capture | Self::Check => Color::Red,
        }
    }
}

/// The colors of everything, for a theme and a terminal.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Palette {
    theme: Theme,
    depth: Depth,
}

impl Palette {
    pub const fn new(theme: Theme, depth: Depth) -> Self {
        Self { theme, depth }
    }

    /// Whether there are colors at all.
    pub fn has_colors(self) -> bool {
        self.depth != Depth::None
    }

    /// The background of a square.
    pub fn square(self, light: bool, mark: Mark) -> Option<Color> {
        let base = self.theme.squares()[usize::from(!light)];
        let mixed = mark.tint().map_or(base, |(tint, percent)| mix(base, tint, percent));
        match self.depth {
            Depth::None => None,
            Depth::Ansi16 => Some(mark.ansi(light)),
            _ => self.color(mixed),
        }
    }

    /// The color of a side's pieces.
    pub fn piece(self, color: chess::Color) -> Option<Color> {
        match (self.depth, color) {
            (Depth::None, _) => None,
            (Depth::Ansi16, chess::Color::White) => Some(Color::White),
            (Depth::Ansi16, chess::Color::Black) => Some(Color::Black),
            (_, chess::Color::White) => self.color((255, 255, 250)),
            (_, chess::Color::Black) => self.color((16, 14, 12)),
        }
    }

    /// Text of little weight.
    pub fn dim(self) -> Style {
        match self.depth {
            Depth::None => Style::new(),
            Depth::Ansi16 => Style::new().fg(Color::DarkGray),
            _ => self.text((140, 140, 140)),
        }
    }

    /// Headings, and what is selected.
    pub fn accent(self) -> Style {
        match self.depth {
            Depth::None => Style::new(),
            Depth::Ansi16 => Style::new().fg(Color::Yellow),
            _ => self.text((214, 170, 90)),
        }
        .add_modifier(Modifier::BOLD)
    }

    /// What went wrong.
    pub fn bad(self) -> Style {
        match self.depth {
            Depth::None => Style::new(),
            Depth::Ansi16 => Style::new().fg(Color::Red),
            _ => self.text((230, 90, 80)),
        }
        .add_modifier(Modifier::BOLD)
    }

    /// What is current: the move on the board, the running clock.
    pub fn current() -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    fn text(self, rgb: Rgb) -> Style {
        self.color(rgb).map_or_else(Style::new, |color| Style::new().fg(color))
    }

    /// A color as far as the terminal has it.
    pub fn color(self, (r, g, b): Rgb) -> Option<Color> {
        match self.depth {
            Depth::True => Some(Color::Rgb(r, g, b)),
            Depth::Ansi256 => Some(Color::Indexed(indexed((r, g, b)))),
            Depth::Ansi16 | Depth::None => None,
        }
    }
}

fn mix(base: Rgb, tint: Rgb, percent: u32) -> Rgb {
    let part =
        |a: u8, b: u8| ((u32::from(a) * (100 - percent) + u32::from(b) * percent) / 100) as u8;
    (part(base.0, tint.0), part(base.1, tint.1), part(base.2, tint.2))
}

/// The nearest of xterm's 256 colors, in its cube or among its greys.
fn indexed(rgb: Rgb) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let nearest = |value: u8| {
        let distance = |&level: &usize| LEVELS[level].abs_diff(value);
        (0..LEVELS.len()).min_by_key(distance).unwrap_or(0)
    };
    let [r, g, b] = [rgb.0, rgb.1, rgb.2].map(nearest);
    let cube = (LEVELS[r], LEVELS[g], LEVELS[b]);
    let mean = (u32::from(rgb.0) + u32::from(rgb.1) + u32::from(rgb.2)) / 3;
    let step = (mean.saturating_sub(3) / 10).min(23) as u8;
    let grey = 8 + 10 * step;
    if distance(rgb, (grey, grey, grey)) < distance(rgb, cube) {
        232 + step
    } else {
        (16 + 36 * r + 6 * g + b) as u8
    }
}

fn distance(a: Rgb, b: Rgb) -> u32 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    square(a.0, b.0) + square(a.1, b.1) + square(a.2, b.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_how_many_colors_there_are() {
        let depth = Depth::from_environment;
        assert_eq!(depth("1", "truecolor", "xterm-256color"), Depth::None);
        assert_eq!(depth("", "truecolor", "xterm"), Depth::True);
        assert_eq!(depth("", "", "screen-256color"), Depth::Ansi256);
        assert_eq!(depth("", "", "linux"), Depth::Ansi16);
        assert_eq!(depth("", "", "dumb"), Depth::None);
        assert_eq!(depth("", "", ""), Depth::None);
    }

    #[test]
    fn colors_become_the_nearest_there_is() {
        assert_eq!(indexed((0, 0, 0)), 16);
        assert_eq!(indexed((255, 255, 255)), 231);
        assert_eq!(indexed((255, 0, 0)), 196);
        assert_eq!(indexed((128, 128, 128)), 244);
    }

    #[test]
    fn light_and_dark_squares_differ_in_every_theme_and_depth() {
        for theme in Theme::ALL {
            for depth in [Depth::True, Depth::Ansi256, Depth::Ansi16] {
                let palette = Palette::new(theme, depth);
                let [light, dark] = [true, false].map(|light| palette.square(light, Mark::None));
                assert!(light.is_some() && light != dark, "{theme} {depth}");
                assert_ne!(palette.piece(chess::Color::White), light);
                assert_ne!(palette.piece(chess::Color::Black), dark);
            }
            assert_eq!(Palette::new(theme, Depth::None).square(true, Mark::Check), None);
        }
        let circle = std::iter::successors(Some(Theme::Brown), |theme| Some(theme.next()));
        assert_eq!(circle.skip(1).take(4).last(), Some(Theme::Brown));
    }
}
