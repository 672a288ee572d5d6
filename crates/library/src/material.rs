//! Material as a number, for the search of endgames.

use std::fmt;
use std::str::FromStr;

use chess::{Color, Position, Role};

/// How many pieces each side has besides its king, as in `KRPPvKRP`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Material(pub(crate) u64);

const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

impl Material {
    /// The material of a position; counts end at fifteen.
    pub fn of(position: &Position) -> Self {
        let mut material = Self(0);
        for color in [Color::White, Color::Black] {
            for role in ROLES {
                let count = position.pieces(role.of(color)).count().min(15);
                material.0 |= u64::from(count) << shift(color, role);
            }
        }
        material
    }

    /// How many pieces of a kind there are.
    pub fn count(self, color: Color, role: Role) -> u32 {
        (self.0 >> shift(color, role) & 15) as u32
    }

    /// The same with colors swapped.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        const SIDE: u32 = 4 * ROLES.len() as u32;
        Self(self.0 >> SIDE | (self.0 & ((1 << SIDE) - 1)) << SIDE)
    }

    /// Whether a game whose material is now this one may end with the other: captures and
    /// promotions only ever take pawns and, but for promotions, pieces away.
    pub(crate) fn may_end_with(self, end: Self) -> bool {
        [Color::White, Color::Black].into_iter().all(|color| {
            let gone =
                |role| i64::from(self.count(color, role)) - i64::from(end.count(color, role));
            let promoted: i64 = ROLES[..4].iter().map(|&role| (-gone(role)).max(0)).sum();
            gone(Role::Pawn) >= promoted
        })
    }
}

fn shift(color: Color, role: Role) -> usize {
    let at = ROLES.iter().position(|&known| known == role).unwrap_or(0);
    (color.index() * ROLES.len() + at) * 4
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in [Color::White, Color::Black] {
            f.write_str(if color == Color::White { "K" } else { "vK" })?;
            for (role, letter) in ROLES.into_iter().zip(["Q", "R", "B", "N", "P"]) {
                f.write_str(&letter.repeat(self.count(color, role) as usize))?;
            }
        }
        Ok(())
    }
}

/// The text is no material.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not material such as KRPvKR")]
pub struct ParseMaterialError;

impl FromStr for Material {
    type Err = ParseMaterialError;

    fn from_str(text: &str) -> Result<Self, ParseMaterialError> {
        let (white, black) = text.split_once('v').ok_or(ParseMaterialError)?;
        let mut material = Self(0);
        for (color, side) in [(Color::White, white), (Color::Black, black)] {
            let pieces = side.strip_prefix('K').ok_or(ParseMaterialError)?;
            for letter in pieces.chars() {
                let at = "QRBNP".find(letter).ok_or(ParseMaterialError)?;
                if material.count(color, ROLES[at]) == 15 {
                    return Err(ParseMaterialError);
                }
                material.0 += 1 << shift(color, ROLES[at]);
            }
        }
        Ok(material)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(text: &str) -> Material {
        text.parse().expect("material")
    }

    #[test]
    fn material_comes_back() {
        for text in ["KvK", "KRPPvKRP", "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"] {
            assert_eq!(material(text).to_string(), text);
        }
        assert_eq!(
            Material::of(&Position::default()),
            material("KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP")
        );
        assert_eq!(material("KQRPPvKBN").mirrored(), material("KBNvKQRPP"));
        for text in ["", "K", "KRvR", "KXvK", "KPPPPPPPPPPPPPPPPvK"] {
            assert_eq!(text.parse::<Material>(), Err(ParseMaterialError), "{text}");
        }
    }

    #[test]
    fn a_piece_more_takes_a_pawn() {
        assert!(material("KPvK").may_end_with(material("KQvK")));
        assert!(!material("KPvK").may_end_with(material("KQPvK")));
        assert!(!material("KRvK").may_end_with(material("KQvK")));
        assert!(material("KQRvKR").may_end_with(material("KRvK")));
        assert!(material("KPPvK").may_end_with(material("KQvK")));
    }
}
