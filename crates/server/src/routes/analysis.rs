//! Analysis, as server-sent events or over a WebSocket.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use chess::Line;
use engine::{Question, Report};
use futures_util::stream::{self, Stream};
use game::Variant;
use tokio::time::{Instant, sleep_until};
use wire::{Analysed, AnalysedLines, AnalysisMessage, AnalysisRequest};

use crate::app::App;
use crate::extract::Json;
use crate::openapi::Problems;
use crate::pool::SearchHandle;
use crate::problem::{Failure, Kind, Result};
use crate::queue::Work;
use crate::routes::position;
use crate::talk::{End, Heard, Talk, open};
use crate::task::{Task, limits};
use crate::visitor::Visitor;

/// Minimum interval between updates.
const BETWEEN: Duration = Duration::from_millis(100);

/// Maximum analysis time on a local server.
const LONGEST: Duration = Duration::from_hours(24);

/// Maximum number of lines.
const MOST_LINES: u8 = 10;

/// Analyses a position, as server-sent events.
///
/// Each event is named `thoughts` and holds an `AnalysedLines` as JSON; in the last one, `done` is
/// true. Closing the connection stops the engine.
#[utoipa::path(post, path = "/api/analysis", tag = "analysis",
    request_body = AnalysisRequest,
    responses((status = 200, body = AnalysisEvent, content_type = "text/event-stream"), Problems))]
pub(crate) async fn stream(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Json(request): Json<AnalysisRequest>,
) -> Result<Response> {
    let analysis = Analysis::begin(&app, &visitor, &request)?;
    Ok(Sse::new(events(analysis)).keep_alive(KeepAlive::default()).into_response())
}

/// An event of an analysis.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "only documents the event that axum writes")]
pub(crate) struct AnalysisEvent {
    /// `thoughts`
    event: String,
    /// An `AnalysedLines`, as JSON.
    data: String,
}

fn events(analysis: Analysis) -> impl Stream<Item = std::result::Result<Event, Infallible>> {
    stream::unfold(Some(analysis), |analysis| async {
        let mut analysis = analysis?;
        let thoughts = analysis.next().await;
        let rest = (!thoughts.done).then_some(analysis);
        let event = Event::default().event("thoughts").json_data(thoughts);
        Some((Ok(event.expect("lines serialize to JSON")), rest))
    })
}

/// WebSocket for analysing one position after another. See docs/protocol.md.
#[utoipa::path(get, path = "/api/analysis/socket", tag = "analysis",
    responses((status = 101, description = "switching to WebSocket"), Problems))]
pub(crate) async fn socket(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    upgrade: std::result::Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response> {
    open(&app, &visitor, upgrade, LARGEST_MESSAGE, {
        let (app, visitor) = (Arc::clone(&app), visitor.clone());
        move |socket| serve(Talk::new(&app, visitor, socket))
    })
}

/// A position may come with a thousand moves.
const LARGEST_MESSAGE: usize = 32 << 10;

async fn serve(mut talk: Talk) {
    let mut current: Option<(u32, Analysis)> = None;
    let app = Arc::clone(talk.app());
    let stopped = app.stopped();
    tokio::pin!(stopped);
    let end = loop {
        let answer = tokio::select! {
            () = &mut stopped => break End::AGAIN,
            heard = talk.hear() => match heard {
                Ok(heard) => answer(&talk, heard, &mut current),
                Err(end) => break end,
            },
            (id, thoughts) = next(&mut current) => {
                if thoughts.done {
                    current = None;
                }
                Some(Analysed::Thoughts { id, thoughts })
            }
        };
        if let Some(answer) = answer {
            let text = serde_json::to_string(&answer).expect("answers serialize to JSON");
            if let Err(end) = talk.say(text.into()).await {
                break end;
            }
        }
    };
    talk.end(end).await;
}

/// Starts or stops an analysis; returns the immediate answer, if any.
fn answer(talk: &Talk, heard: Heard, current: &mut Option<(u32, Analysis)>) -> Option<Analysed> {
    let read = match heard {
        Heard::Text(text) => serde_json::from_str(&text)
            .map_err(|error| Failure::new(Kind::InvalidRequest, error.to_string())),
        Heard::TooFast(_) => Err(Failure::too_fast(1)),
    };
    let (id, begun) = match read {
        Ok(AnalysisMessage::Stop) => {
            *current = None;
            return None;
        }
        Ok(AnalysisMessage::Analyse { id, request }) => {
            *current = None;
            (Some(id), Analysis::begin(talk.app(), talk.visitor(), &request).map(|new| (id, new)))
        }
        Err(failure) => (None, Err(failure)),
    };
    match begun {
        Ok(begun) => {
            *current = Some(begun);
            None
        }
        Err(failure) => Some(Analysed::Refused { id, problem: failure.document() }),
    }
}

async fn next(current: &mut Option<(u32, Analysis)>) -> (u32, AnalysedLines) {
    match current {
        Some((id, analysis)) => (*id, analysis.next().await),
        None => std::future::pending().await,
    }
}

/// A running analysis with a connected client.
struct Analysis {
    app: Arc<App>,
    line: Line,
    rules: Variant,
    search: SearchHandle,
    next: Instant,
}

impl Analysis {
    fn begin(app: &Arc<App>, visitor: &Visitor, request: &AnalysisRequest) -> Result<Self> {
        let owner = visitor.owner();
        app.limiter.analysis(owner.clone())?;
        let line = position::line(&request.position)?;
        if let Some(outcome) = line.outcome() {
            return Err(Failure::new(Kind::NothingToSay, format!("the game is over: {outcome}")));
        }
        if !(1..=MOST_LINES).contains(&request.lines) {
            let detail = format!("1 to {MOST_LINES} lines are allowed");
            return Err(Failure::field(Kind::InvalidRequest, "lines", detail));
        }
        let meter = Some(app.budgets.meter(&owner)?);
        let longest = app.config.public().map_or(LONGEST, |public| public.longest_analysis);
        let limits = limits(request.limits, None, longest)?;
        let question = Question::new(line.clone()).limits(limits).lines(request.lines.into());
        let task = Task { question, work: Work::Analysis, meter };
        let search = app.pool.search(&owner, task)?;
        let rules = request.position.rules;
        Ok(Self { app: Arc::clone(app), line, rules, search, next: Instant::now() })
    }

    /// The next update, not too soon after the last. Cancel safe.
    async fn next(&mut self) -> AnalysedLines {
        let known = self.search.lines.clone();
        let (seen, next) = (&mut self.search.lines, self.next);
        let news = async {
            sleep_until(next).await;
            if seen.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
            seen.borrow_and_update().clone()
        };
        let (lines, done) = tokio::select! {
            biased;
            answer = &mut self.search.done => {
                let lines = answer.ok().and_then(|verdict| Some(verdict.ok()?.lines));
                (lines.unwrap_or_else(|| known.borrow().clone()), true)
            }
            () = self.app.stopped() => (known.borrow().clone(), true),
            lines = news => (lines, false),
        };
        self.next = Instant::now() + BETWEEN;
        self.thoughts(&lines, done)
    }

    fn thoughts(&self, lines: &[Report], done: bool) -> AnalysedLines {
        AnalysedLines::new(lines, self.line.position(), self.rules, done)
    }
}
