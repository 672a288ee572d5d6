//! The loop: waits, passes on what has happened, does what is wanted, draws.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use engine::{Engine, Stop};
use game::live::Command;
use game::{Game, Openings};
use ratatui::crossterm::event;
use review::{Plan, own_name, own_options, review_with};

use super::screen::Screen;
use super::thinker::{Alarm, Makers, Thinker};
use super::{Wall, load, save};
use crate::app::{App, Preferences};
use crate::table::Table;
use crate::traffic::{Effect, Incoming, Keeper, Kept, News};

/// How often running clocks are drawn.
const TICK: Duration = Duration::from_millis(100);

/// How long the loop waits if nothing is running.
const IDLE: Duration = Duration::from_secs(1);

/// Everything that the board needs from its program.
pub struct Shell {
    /// What the player wants.
    pub preferences: Preferences,
    /// The engines.
    pub makers: Makers,
    /// Where games are stored.
    pub keeper: Option<Box<dyn Keeper>>,
    /// A game on a server, instead of one here.
    pub connection: Option<Connection>,
    /// A game to show, instead of playing one.
    pub shown: Option<Box<Game>>,
    /// A stored game to go on with, instead of a new one.
    pub resume: Option<Table>,
}

/// A game on a server.
#[derive(Debug)]
pub struct Connection {
    /// Takes the player's commands.
    pub commands: Sender<Command>,
    /// Brings what happens.
    pub news: Receiver<News>,
}

/// Why the board can't be shown any longer.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The terminal can't be used.
    #[error("the terminal can't be used: {0}")]
    Terminal(#[from] io::Error),
    /// A thread has panicked; its message was printed.
    #[error("an engine has crashed; this is a bug")]
    Panicked,
}

/// How the board was left.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The player has left.
    Quit,
    /// A signal ended it.
    Signal(i32),
}

/// What the threads tell the loop.
pub(super) enum Message {
    In(Incoming),
    Signal(i32),
    Suspend,
    Continued,
    Panicked,
    /// There is no more input.
    Closed,
}

/// Shows the board until the player leaves.
pub fn run(shell: Shell) -> Result<Ended, RunError> {
    let wall = Wall::new();
    let mut screen = Screen::enter()?;
    let size = screen.size()?;
    let remote = shell.connection.is_some();
    let mut app = match shell.shown {
        _ if remote => App::remote(shell.preferences, size, wall.now()),
        Some(game) => App::showing(shell.preferences, *game, size, wall.now()),
        None => App::new(shell.preferences, size, wall.now()),
    };
    if let Some(table) = shell.resume {
        app.resume(table);
    }
    // The first picture comes before everything that takes time.
    screen.draw(&app)?;
    let (out, messages) = channel();
    let mut desk = Desk::new(shell.makers, shell.keeper, shell.connection, out)?;
    let ended = desk.serve(&mut app, &mut screen, &messages, wall);
    drop(screen);
    desk.close();
    ended
}

/// The threads around the board.
struct Desk {
    out: Sender<Message>,
    makers: Makers,
    own: Option<Thinker>,
    program: Option<Thinker>,
    analyst: Option<Thinker>,
    /// Ends the current review.
    reviewing: Stop,
    keeper: Option<(Sender<Kept>, JoinHandle<()>)>,
    commands: Option<Sender<Command>>,
}

impl Desk {
    fn new(
        makers: Makers,
        keeper: Option<Box<dyn Keeper>>,
        connection: Option<Connection>,
        out: Sender<Message>,
    ) -> io::Result<Self> {
        #[cfg(unix)]
        super::signals::listen(out.clone())?;
        let input = out.clone();
        spawn("input", move || read_input(&input))?;
        let names = out.clone();
        spawn("openings", move || {
            let _ = names.send(Message::In(Incoming::Openings(Arc::new(Openings::new()))));
        })?;
        let keeper = keeper.map(|keeper| keep_on_thread(keeper, out.clone())).transpose()?;
        let mut commands = None;
        if let Some(connection) = connection {
            commands = Some(connection.commands);
            let news = out.clone();
            spawn("news", move || {
                for one in connection.news {
                    if news.send(Message::In(Incoming::News(one))).is_err() {
                        return;
                    }
                }
            })?;
        }
        let (own, program, analyst) = (None, None, None);
        let reviewing = Stop::new();
        Ok(Self { out, makers, own, program, analyst, reviewing, keeper, commands })
    }

    fn serve(
        &mut self,
        app: &mut App,
        screen: &mut Screen,
        messages: &Receiver<Message>,
        wall: Wall,
    ) -> Result<Ended, RunError> {
        loop {
            for effect in app.take_effects() {
                match effect {
                    Effect::Quit => return Ok(Ended::Quit),
                    Effect::Suspend => suspend(app, screen, wall)?,
                    Effect::Redraw => screen.forget()?,
                    effect => self.perform(effect)?,
                }
            }
            screen.draw(app)?;
            let wait = if app.table.live.clock_runs().is_some() { TICK } else { IDLE };
            let mut next = match messages.recv_timeout(wait) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => Some(Message::In(Incoming::Tick)),
                Err(RecvTimeoutError::Disconnected) => Some(Message::Closed),
            };
            // All that waits is heard before the next picture.
            while let Some(message) = next {
                match message {
                    Message::In(incoming) => app.hear(incoming, wall.now()),
                    Message::Signal(signal) => return Ok(Ended::Signal(signal)),
                    Message::Suspend => suspend(app, screen, wall)?,
                    Message::Continued => resume(app, screen, wall)?,
                    Message::Panicked => return Err(RunError::Panicked),
                    Message::Closed => return Ok(Ended::Quit),
                }
                next = messages.try_recv().ok();
            }
        }
    }

    fn perform(&mut self, effect: Effect) -> io::Result<()> {
        match effect {
            Effect::Think { ticket, question, program } => {
                let other = self.makers.program.clone().filter(|_| program);
                let (slot, make) = match other {
                    Some(make) => (&mut self.program, make),
                    None => (&mut self.own, self.makers.own.clone()),
                };
                thinker(slot, "opponent", make, &self.out)?.ask(ticket, *question);
            }
            Effect::StopThinking => {
                [&self.own, &self.program].into_iter().flatten().for_each(Thinker::stop);
            }
            Effect::Analyse { ticket, question } => {
                let make = self.makers.own.clone();
                thinker(&mut self.analyst, "analyst", make, &self.out)?.ask(ticket, *question);
            }
            Effect::StopAnalysis => self.analyst.iter().for_each(Thinker::stop),
            Effect::Review { ticket, game } => self.review(ticket, *game)?,
            Effect::StopReview => self.reviewing.stop(),
            Effect::Keep(kept) => {
                if let Some((keeper, _)) = &self.keeper {
                    let _ = keeper.send(*kept);
                }
            }
            Effect::Send(command) => {
                let sent = self.commands.as_ref().map(|commands| commands.send(command));
                if !matches!(sent, Some(Ok(()))) {
                    let text = "there is no connection to the server".to_owned();
                    let _ = self.out.send(Message::In(Incoming::Trouble(text)));
                }
            }
            Effect::Save(path, text) => {
                let incoming = match save(&path, &text) {
                    Ok(text) => Incoming::Notice(text),
                    Err(text) => Incoming::Trouble(text),
                };
                let _ = self.out.send(Message::In(incoming));
            }
            Effect::Load(path, number) => self.load(path, number)?,
            Effect::Quit | Effect::Suspend | Effect::Redraw => {}
        }
        Ok(())
    }

    /// Reads a game. A large file takes time.
    fn load(&self, path: PathBuf, number: usize) -> io::Result<()> {
        let out = self.out.clone();
        spawn("file", move || {
            let incoming = Incoming::Loaded(load(&path, number).map(Box::new));
            let _ = out.send(Message::In(incoming));
        })
    }

    /// Reviews a game with an engine of its own, instead of the one before.
    fn review(&mut self, ticket: u64, game: Game) -> io::Result<()> {
        self.reviewing.stop();
        self.reviewing = Stop::new();
        let (out, stop) = (self.out.clone(), self.reviewing.clone());
        engine::search_thread("review").spawn(move || {
            let alarm = Alarm(out.clone());
            let name = own_name(engine::embedded_net().checksum());
            let mut engine = Engine::new(own_options());
            let mut progress = |progress: review::Progress| {
                let (done, of) = (progress.done, progress.of);
                let _ = out.send(Message::In(Incoming::Judged { ticket, done, of }));
            };
            let plan = Plan::default();
            let report = review_with(&game, &mut engine, &plan, &name, &stop, &mut progress);
            let report = report.map(Box::new).map_err(|error| error.to_string());
            let _ = out.send(Message::In(Incoming::Reviewed { ticket, report }));
            drop(alarm);
        })?;
        Ok(())
    }

    /// Waits until everything is stored.
    fn close(&mut self) {
        self.reviewing.stop();
        self.commands = None;
        if let Some((keeper, thread)) = self.keeper.take() {
            drop(keeper);
            let _ = thread.join();
        }
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    Builder::new().name(name.to_owned()).spawn(run).map(drop)
}

/// The thinker of a slot, started if it isn't running.
fn thinker<'a>(
    slot: &'a mut Option<Thinker>,
    name: &str,
    make: super::MakeAnalyst,
    out: &Sender<Message>,
) -> io::Result<&'a mut Thinker> {
    Ok(match slot {
        Some(thinker) => thinker,
        empty => empty.insert(Thinker::spawn(name, make, out.clone())?),
    })
}

fn read_input(out: &Sender<Message>) {
    loop {
        let message = match event::read() {
            Ok(event::Event::Key(key)) => Message::In(Incoming::Key(key)),
            Ok(event::Event::Mouse(mouse)) => Message::In(Incoming::Mouse(mouse)),
            Ok(event::Event::Paste(text)) => Message::In(Incoming::Paste(text)),
            Ok(event::Event::Resize(columns, rows)) => Message::In(Incoming::Resize(columns, rows)),
            Ok(event::Event::FocusGained | event::Event::FocusLost) => continue,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => Message::Closed,
        };
        let closed = matches!(message, Message::Closed);
        if out.send(message).is_err() || closed {
            return;
        }
    }
}

/// Stores what has happened. After a failure the player is told, and the rest of the game is not
/// stored.
fn keep_on_thread(
    mut keeper: Box<dyn Keeper>,
    out: Sender<Message>,
) -> io::Result<(Sender<Kept>, JoinHandle<()>)> {
    let (sender, todo) = channel();
    let thread = Builder::new().name("keeper".to_owned()).spawn(move || {
        let mut works = true;
        for kept in todo {
            works |= matches!(kept, Kept::Begun(_));
            if let Err(error) = if works { keeper.keep(kept) } else { Ok(()) } {
                works = false;
                let text = format!("the game is not saved: {error}");
                let _ = out.send(Message::In(Incoming::Trouble(text)));
            }
        }
    })?;
    Ok((sender, thread))
}

/// Goes to the background until the player comes back.
fn suspend(app: &mut App, screen: &mut Screen, wall: Wall) -> io::Result<()> {
    #[cfg(unix)]
    {
        Screen::pause();
        super::signals::stop()?;
    }
    resume(app, screen, wall)
}

/// Takes the terminal over again; its size may have changed meanwhile.
fn resume(app: &mut App, screen: &mut Screen, wall: Wall) -> io::Result<()> {
    screen.resume()?;
    let (columns, rows) = screen.size()?;
    app.hear(Incoming::Resize(columns, rows), wall.now());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_review_that_is_no_longer_wanted_ends() {
        let (out, messages) = channel();
        let own = Arc::new(|| Err("no engine is needed".to_owned()));
        let mut desk = Desk {
            out,
            makers: Makers { own, program: None },
            own: None,
            program: None,
            analyst: None,
            reviewing: Stop::new(),
            keeper: None,
            commands: None,
        };
        let mut game = Game::default();
        let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7";
        for text in moves.split(' ') {
            let m = game.position().parse_san(text).expect("a move");
            game.play(m).expect("legal");
        }
        desk.perform(Effect::Review { ticket: 7, game: Box::new(game) }).expect("a thread");
        desk.perform(Effect::StopReview).expect("it is told");
        let until = Instant::now() + Duration::from_mins(1);
        let report = loop {
            let wait = until.saturating_duration_since(Instant::now());
            let message = messages.recv_timeout(wait).expect("the review ends");
            if let Message::In(Incoming::Reviewed { ticket: 7, report }) = message {
                break report;
            }
        };
        assert_eq!(report.err().as_deref(), Some("the review was stopped"));
    }
}
