//! The players of a segment: their names in order, and the games of each.

use std::cmp::Ordering;

use crate::bytes::{Cursor, put_text, put_varint};
use crate::error::{At, Damage, Result};
use crate::pages::{PageFile, PageWriter};
use crate::zip;

/// Names in a page.
const NAMES: usize = 4096;
/// Players in a page of games.
const PLAYERS: u32 = 64;

/// Names in alphabetical order, whatever their case.
#[derive(Debug, Default)]
pub(crate) struct Names {
    text: String,
    ends: Vec<u32>,
}

/// The order of names.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
    let quick = a.is_ascii() && b.is_ascii();
    let by_letter = if quick {
        a.bytes().map(|c| c.to_ascii_lowercase()).cmp(b.bytes().map(|c| c.to_ascii_lowercase()))
    } else {
        lower(a).cmp(&lower(b))
    };
    by_letter.then_with(|| a.cmp(b))
}

impl Names {
    pub(crate) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(crate) fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[start as usize..self.ends[number] as usize]
    }

    /// The number of a name.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let at = self.first(|known| compare(known, name) == Ordering::Less);
        (at < self.len() && self.get(at) == name).then_some(at)
    }

    /// The names that start like this, whatever their case.
    pub(crate) fn starting_with<'a>(&'a self, start: &str) -> impl Iterator<Item = &'a str> {
        let lower = start.to_lowercase();
        let first = self.first(|known| known.to_lowercase() < lower);
        (first..self.len())
            .map(|number| self.get(number))
            .take_while(move |name| name.to_lowercase().starts_with(&lower))
    }

    /// The first number for which this is not so.
    fn first(&self, before: impl Fn(&str) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if before(self.get(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    pub(crate) fn write(names: &[&str], mut out: PageWriter) -> Result<()> {
        for some in names.chunks(NAMES) {
            let mut bytes = Vec::new();
            for name in some {
                put_text(&mut bytes, name.as_bytes());
            }
            let mut page = Vec::new();
            put_varint(&mut page, bytes.len() as u64);
            page.extend(zip::compress(&bytes));
            out.push(&page)?;
        }
        out.finish()
    }

    pub(crate) fn read(file: &PageFile) -> Result<Self> {
        let mut names = Self::default();
        for number in 0..file.len() {
            let page = file.page(number)?;
            names.read_page(&page).at(file.path())?;
        }
        Ok(names)
    }

    fn read_page(&mut self, page: &[u8]) -> Result<(), Damage> {
        let mut cursor = Cursor(page);
        let len = cursor.at_most(NAMES * 1024)?;
        let bytes = zip::decompress(cursor.0, len)?;
        let mut cursor = Cursor(&bytes);
        while !cursor.is_empty() {
            self.text.push_str(cursor.utf8()?);
            self.ends.push(u32::try_from(self.text.len()).map_err(|_| Damage("too many names"))?);
        }
        Ok(())
    }
}

/// A game of a player.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Seat {
    pub(crate) game: u32,
    pub(crate) black: bool,
}

/// Writes the games of each player, given the players of each game.
pub(crate) fn write_players(
    white: &[u32],
    black: &[u32],
    names: u32,
    mut out: PageWriter,
) -> Result<()> {
    // Step 1. Where the seats of each player start.
    let mut ends = vec![0_u32; names as usize + 1];
    for &player in white.iter().chain(black) {
        ends[player as usize + 1] += 1;
    }
    for i in 1..ends.len() {
        ends[i] += ends[i - 1];
    }
    // Step 2. The seats by player, in the order of games.
    let mut next = ends.clone();
    let mut seats = vec![0_u64; white.len() * 2];
    for (game, (&white, &black)) in white.iter().zip(black).enumerate() {
        for (player, color) in [(white, 0), (black, 1)] {
            let place = &mut next[player as usize];
            seats[*place as usize] = (game as u64) << 1 | color;
            *place += 1;
        }
    }
    // Step 3. Differences.
    let mut page = Vec::new();
    for player in 0..names {
        let own = &seats[ends[player as usize] as usize..ends[player as usize + 1] as usize];
        let mut bytes = Vec::new();
        let mut last = 0;
        for &seat in own {
            put_varint(&mut bytes, ((seat >> 1) - last) << 1 | seat & 1);
            last = seat >> 1;
        }
        put_text(&mut page, &bytes);
        if (player + 1) % PLAYERS == 0 || player + 1 == names {
            out.push(&page)?;
            page.clear();
        }
    }
    out.finish()
}

/// The games of a player, in order.
pub(crate) fn seats(file: &PageFile, player: u32, games: u32) -> Result<Vec<Seat>> {
    let page = file.page((player / PLAYERS) as usize)?;
    read_seats(&page, player % PLAYERS, games).at(file.path())
}

fn read_seats(page: &[u8], skip: u32, games: u32) -> Result<Vec<Seat>, Damage> {
    let mut cursor = Cursor(page);
    for _ in 0..skip {
        cursor.text()?;
    }
    let mut cursor = Cursor(cursor.text()?);
    let mut seats = Vec::new();
    let mut game = 0_u64;
    while !cursor.is_empty() {
        let token = cursor.varint()?;
        game = game.saturating_add(token >> 1);
        if game >= u64::from(games) {
            return Err(Damage("a player has a game that doesn't exist"));
        }
        seats.push(Seat { game: game as u32, black: token & 1 == 1 });
    }
    Ok(seats)
}
