//! Writes games as PGN, with everything that was in them.

use std::io::Write;
use std::path::Path;

use game::pgn::Builder;

use crate::error::{At, Result};
use crate::filter::{Filter, Sieve};
use crate::library::Library;
use crate::shared::Run;

impl Library {
    /// Writes the games that meet a filter, in the order of their moves. Returns how many there are. `name` is for
    /// messages about the output.
    pub fn export(&self, filter: &Filter, name: &Path, out: &mut impl Write) -> Result<u64> {
        let mut count = 0;
        for segment in self.segments().iter() {
            if segment.games() == 0 {
                continue;
            }
            let sieve = Sieve::new(segment, filter)?;
            let mut teller = segment.teller(0)?;
            let mut failed = None;
            sieve.each(&Run { start: 0, len: segment.games(), played: 0 }, |game| {
                let mut write = || -> Result<()> {
                    let mut builder = Builder::default();
                    teller.tell(game, &mut builder)?;
                    let gap = if count > 0 { "\n" } else { "" };
                    write!(out, "{gap}{}", builder.game()).at(name)
                };
                match write() {
                    Ok(()) => count += 1,
                    Err(error) => failed = Some(error),
                }
                failed.is_none()
            });
            if let Some(error) = failed {
                return Err(error);
            }
        }
        Ok(count)
    }
}
