//! Pictures of the pieces for large squares.

use chess::Role;

/// A picture, in the middle of a square of some pixels.
pub(super) struct Sprite {
    rows: &'static [&'static str],
    /// Pixels before the picture, and how large each of its dots is.
    margin: (u16, u16),
    scale: u16,
}

impl Sprite {
    /// Whether the piece covers a pixel of the square.
    pub fn is_set(&self, x: u16, y: u16) -> bool {
        let Some((x, y)) = x.checked_sub(self.margin.0).zip(y.checked_sub(self.margin.1)) else {
            return false;
        };
        let row = self.rows.get(usize::from(y / self.scale));
        row.is_some_and(|row| row.as_bytes().get(usize::from(x / self.scale)) == Some(&b'#'))
    }
}

/// The picture of a piece for a square of this many pixels.
pub(super) fn sprite(role: Role, pixels: u16) -> Sprite {
    let (size, set): (u16, &[[&'static str; 12]; 6]) = (12, &LARGE);
    let rows: &'static [&'static str] =
        if pixels >= 12 { &set[role.index()] } else { &SMALL[role.index()] };
    let size = if pixels >= 12 { size } else { 8 };
    let scale = pixels / size;
    let margin = (pixels - scale * size) / 2;
    Sprite { rows, margin: (margin, margin), scale }
}

/// Pictures of 8 by 8 pixels, in the order of roles.
#[rustfmt::skip]
const SMALL: [[&str; 8]; 6] = [
    ["........",
     "........",
     "...##...",
     "..####..",
     "...##...",
     "..####..",
     ".######.",
     "........"],
    ["...#....",
     "..####..",
     ".######.",
     ".##.###.",
     "...####.",
     "..####..",
     ".######.",
     "........"],
    ["...##...",
     "..##.#..",
     ".##.###.",
     ".######.",
     "..####..",
     "...##...",
     ".######.",
     "........"],
    ["........",
     ".#.##.#.",
     ".######.",
     "..####..",
     "..####..",
     "..####..",
     ".######.",
     "........"],
    ["#..##..#",
     "#..##..#",
     "##.##.##",
     ".######.",
     ".######.",
     "..####..",
     ".######.",
     "........"],
    ["...##...",
     ".######.",
     "...##...",
     ".##..##.",
     "########",
     ".######.",
     ".######.",
     "........"],
];

/// Pictures of 12 by 12 pixels, in the order of roles.
#[rustfmt::skip]
const LARGE: [[&str; 12]; 6] = [
    ["............",
     "............",
     "............",
     ".....##.....",
     "....####....",
     "....####....",
     ".....##.....",
     "....####....",
     "....####....",
     "...######...",
     "..########..",
     "............"],
    ["............",
     "....#.#.....",
     "....####....",
     "...######...",
     "..##.####...",
     ".#########..",
     ".###.#####..",
     ".....#####..",
     "....#####...",
     "...######...",
     "..########..",
     "............"],
    ["............",
     ".....##.....",
     "....##.#....",
     "...##.###...",
     "...#.####...",
     "...######...",
     "....####....",
     ".....##.....",
     "....####....",
     "...######...",
     "..########..",
     "............"],
    ["............",
     "............",
     "..##.##.##..",
     "..##.##.##..",
     "..########..",
     "...######...",
     "...######...",
     "...######...",
     "...######...",
     "..########..",
     "..########..",
     "............"],
    ["............",
     ".#...##...#.",
     ".#...##...#.",
     ".##.####.##.",
     "..#.####.#..",
     "..########..",
     "..########..",
     "...######...",
     "....####....",
     "...######...",
     "..########..",
     "............"],
    [".....##.....",
     "....####....",
     ".....##.....",
     "..##.##.##..",
     ".####..####.",
     ".####..####.",
     ".##########.",
     "..########..",
     "...######...",
     "...######...",
     "..########..",
     "............"],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_square_and_differ() {
        for (i, picture) in SMALL.iter().enumerate() {
            assert!(picture.iter().all(|row| row.len() == 8), "{i}");
            assert!(SMALL[i + 1..].iter().all(|other| other != picture));
        }
        for (i, picture) in LARGE.iter().enumerate() {
            assert!(picture.iter().all(|row| row.len() == 12), "{i}");
            assert!(LARGE[i + 1..].iter().all(|other| other != picture));
        }
    }

    #[test]
    fn a_picture_stays_inside_its_square() {
        for pixels in 8..30 {
            for role in Role::ALL {
                let picture = sprite(role, pixels);
                let set = |x, y| picture.is_set(x, y);
                assert!((0..pixels).any(|x| (0..pixels).any(|y| set(x, y))), "{role:?} {pixels}");
                assert!((0..pixels).all(|i| !set(pixels, i) && !set(i, pixels)));
            }
        }
    }
}
