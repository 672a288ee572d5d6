//! Writes lines to a GUI: complete, flushed, from any thread.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use chess::{CastlingMode, Move, Position};
use engine::{Bound, Report, Score, Wdl};

/// The only output. Clones share it, and lines are never interleaved.
#[derive(Clone)]
pub(crate) struct Output(Arc<Mutex<Sink>>);

struct Sink {
    writer: Box<dyn Write + Send>,
    /// Why writing has failed.
    error: Option<io::Error>,
}

impl Output {
    pub(crate) fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Sink { writer: Box::new(writer), error: None })))
    }

    /// Writes a line, or several that belong together.
    pub(crate) fn line(&self, text: impl fmt::Display) {
        let text = format!("{text}\n");
        let mut sink = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.error.is_none() {
            let written = sink.writer.write_all(text.as_bytes()).and_then(|()| sink.writer.flush());
            sink.error = written.err();
        }
    }

    /// Writes an `info string`.
    pub(crate) fn message(&self, text: impl fmt::Display) {
        // A message may quote input: it must not become two lines, or a command.
        const LONGEST: usize = 500;
        let text: String = text
            .to_string()
            .chars()
            .take(LONGEST)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        self.line(format_args!("info string {text}"));
    }

    /// Writes an error as an `info string`.
    pub(crate) fn error(&self, error: impl fmt::Display) {
        self.message(format_args!("error: {error}"));
    }

    /// Whether the output is closed.
    pub(crate) fn is_broken(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).error.is_some()
    }

    /// Returns the error that ended the output, if any.
    pub(crate) fn take_error(&self) -> io::Result<()> {
        let error = self.0.lock().unwrap_or_else(PoisonError::into_inner).error.take();
        error.map_or(Ok(()), Err)
    }
}

/// A report as an `info` line.
pub(crate) struct Info<'a> {
    pub(crate) report: &'a Report,
    /// The position the PV starts from.
    pub(crate) position: &'a Position,
    pub(crate) mode: CastlingMode,
    pub(crate) show_wdl: bool,
}

impl fmt::Display for Info<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        write!(f, "info depth {} seldepth {}", report.depth, report.selective_depth)?;
        write!(f, " multipv {} score {}", report.multi_pv, UciScore(report.score))?;
        f.write_str(match report.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })?;
        if self.show_wdl {
            let Wdl { win, draw, loss } = report.wdl;
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        write!(f, " nodes {} nps {}", report.nodes, report.speed())?;
        write!(f, " hashfull {} tbhits {}", report.hash_full, report.tablebase_hits)?;
        write!(f, " time {}", report.time.as_millis())?;
        if !report.pv.is_empty() {
            f.write_str(" pv")?;
        }
        let mut position = self.position.clone();
        for &m in &report.pv {
            write!(f, " {}", m.to_uci(&position, self.mode))?;
            position.play_unchecked(m);
        }
        Ok(())
    }
}

/// A score in UCI notation, mates in moves.
pub(crate) struct UciScore(pub(crate) Score);

impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Score::Cp(cp) => write!(f, "cp {cp}"),
            Score::Mate(plies) => write!(f, "mate {}", plies.moves()),
        }
    }
}

/// A `bestmove` line.
pub(crate) struct BestMove<'a> {
    pub(crate) best: Option<Move>,
    pub(crate) ponder: Option<Move>,
    pub(crate) position: &'a Position,
    pub(crate) mode: CastlingMode,
}

impl fmt::Display for BestMove<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(best) = self.best else { return f.write_str("bestmove (none)") };
        write!(f, "bestmove {}", best.to_uci(self.position, self.mode))?;
        let next = self.position.after(best);
        match self.ponder.filter(|&m| next.is_legal(m)) {
            Some(ponder) => write!(f, " ponder {}", ponder.to_uci(&next, self.mode)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use engine::MatePlies;

    use super::*;

    fn report(position: &Position, pv: &[&str]) -> Report {
        let mut next = position.clone();
        let mut moves = Vec::new();
        for san in pv {
            let m = next.parse_san(san).expect("a legal move");
            moves.push(m);
            next.play_unchecked(m);
        }
        Report {
            depth: 12,
            selective_depth: 20,
            multi_pv: 1,
            score: Score::Cp(-35),
            bound: Bound::Exact,
            wdl: Wdl { win: 300, draw: 400, loss: 300 },
            nodes: 5_000,
            time: Duration::from_millis(10),
            hash_full: 7,
            tablebase_hits: 3,
            pv: moves,
        }
    }

    #[test]
    fn an_info_line_has_everything_in_the_usual_order() {
        let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("legal");
        let report = report(&position, &["O-O", "O-O-O"]);
        let info = |mode, show_wdl, report: &Report| {
            Info { report, position: &position, mode, show_wdl }.to_string()
        };
        assert_eq!(
            info(CastlingMode::Standard, false, &report),
            "info depth 12 seldepth 20 multipv 1 score cp -35 nodes 5000 nps 500000 hashfull 7 \
             tbhits 3 time 10 pv e1g1 e8c8"
        );
        let mate = Report { score: Score::Mate(MatePlies(5)), bound: Bound::Lower, ..report };
        assert_eq!(
            info(CastlingMode::Chess960, true, &mate),
            "info depth 12 seldepth 20 multipv 1 score mate 3 lowerbound wdl 300 400 300 nodes \
             5000 nps 500000 hashfull 7 tbhits 3 time 10 pv e1h1 e8a8"
        );
    }

    #[test]
    fn a_best_move_shows_a_legal_answer_only() {
        let position = Position::default();
        let pv = report(&position, &["e4", "e5", "Nf3"]).pv;
        let mode = CastlingMode::Standard;
        let best = |best, ponder| BestMove { best, ponder, position: &position, mode }.to_string();
        assert_eq!(best(Some(pv[0]), Some(pv[1])), "bestmove e2e4 ponder e7e5");
        assert_eq!(best(Some(pv[0]), Some(pv[2])), "bestmove e2e4");
        assert_eq!(best(None, None), "bestmove (none)");
    }
}
