//! The desk of a server, over HTTP.

use std::time::Duration;

use anyhow::{Context, Result};
use async_trait::async_trait;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::{Request, StatusCode};
use serde::Serialize;
use store::{
    Attempt, Claim, ClaimMessage, Desk, DeskError, ExtendMessage, FinishMessage, GiveUpMessage,
    JobKind, Progress, Report,
};
use tokio::time::timeout;

use crate::http::{Client, client, problem, server_url};

/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The longest answer in bytes: a job with the games of a segment.
const LONGEST: usize = 32 << 20;

/// What the server wants to know of a worker's engine.
pub struct Identity {
    /// Its name in reports.
    pub engine: String,
    /// The node count of its bench.
    pub bench: u64,
}

/// The desk of a server.
pub struct HttpDesk {
    client: Client,
    /// The server's URL, without a slash at the end.
    base: String,
    authorization: HeaderValue,
    identity: Identity,
}

impl HttpDesk {
    /// A desk; nothing is sent yet.
    pub fn new(server: &str, token: &str, identity: Identity) -> Result<Self> {
        let base = server_url(server)?;
        let mut authorization: HeaderValue =
            format!("Bearer {token}").parse().context("the token has strange characters")?;
        authorization.set_sensitive(true);
        Ok(Self { client: client()?, base, authorization, identity })
    }

    /// Sends a message; returns the body of the answer, if there is one.
    async fn send(&self, what: &str, message: &impl Serialize) -> Result<Option<Bytes>, DeskError> {
        let body = serde_json::to_vec(message).expect("messages can be written as JSON");
        let request = Request::post(format!("{}/api/desk/{what}", self.base))
            .header(CONTENT_TYPE, "application/json")
            .header(AUTHORIZATION, self.authorization.clone())
            .body(Full::new(Bytes::from(body)))
            .map_err(|error| DeskError::Refused(error.to_string()))?;
        let exchange = async {
            let response =
                self.client.request(request).await.map_err(|error| unreachable(&error))?;
            let status = response.status();
            let body = Limited::new(response.into_body(), LONGEST).collect().await;
            let body = body.map_err(|error| DeskError::Failed(error.to_string()))?.to_bytes();
            Ok::<_, DeskError>((status, body))
        };
        let late = |_| DeskError::Failed("the server doesn't answer".to_owned());
        let (status, body) = timeout(PATIENCE, exchange).await.map_err(late)??;
        answer(status, body)
    }
}

/// What an answer means.
fn answer(status: StatusCode, body: Bytes) -> Result<Option<Bytes>, DeskError> {
    match status {
        StatusCode::OK => Ok(Some(body)),
        StatusCode::NO_CONTENT => Ok(None),
        StatusCode::CONFLICT => Err(DeskError::Lost),
        StatusCode::NOT_FOUND => {
            Err(DeskError::Refused("it has no worker token, or it is no server of Riga".to_owned()))
        }
        _ => {
            let text = problem(status, &body);
            let is_final = status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS;
            Err(if is_final { DeskError::Refused(text) } else { DeskError::Failed(text) })
        }
    }
}

/// A connection error with its cause.
fn unreachable(error: &hyper_util::client::legacy::Error) -> DeskError {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    DeskError::Failed(cause.unwrap_or_else(|| error.to_string()))
}

#[async_trait]
impl Desk for HttpDesk {
    async fn claim(
        &self,
        kinds: &[JobKind],
        worker: &str,
        lease: Duration,
    ) -> Result<Option<Claim>, DeskError> {
        let message = ClaimMessage {
            kinds: kinds.to_vec(),
            worker: worker.to_owned(),
            lease: lease.as_secs(),
            engine: self.identity.engine.clone(),
            bench: self.identity.bench,
        };
        let Some(body) = self.send("claim", &message).await? else { return Ok(None) };
        let claim = serde_json::from_slice(&body);
        claim.map(Some).map_err(|error| DeskError::Refused(format!("unknown job: {error}")))
    }

    async fn extend(
        &self,
        attempt: Attempt,
        lease: Duration,
        progress: &Progress,
    ) -> Result<(), DeskError> {
        let lease = lease.as_secs();
        let message = ExtendMessage { attempt, lease, progress: progress.clone() };
        self.send("extend", &message).await.map(drop)
    }

    async fn finish(&self, attempt: Attempt, report: &Report) -> Result<(), DeskError> {
        let message = FinishMessage { attempt, report: report.clone() };
        self.send("finish", &message).await.map(drop)
    }

    async fn give_up(&self, attempt: Attempt, why: &str) -> Result<(), DeskError> {
        let message = GiveUpMessage { attempt, why: Some(why.to_owned()) };
        self.send("give_up", &message).await.map(drop)
    }

    async fn give_back(&self, attempt: Attempt) -> Result<(), DeskError> {
        self.send("give_up", &GiveUpMessage { attempt, why: None }).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_apart() {
        let told = |status: u16, body: &'static str| {
            answer(
                StatusCode::from_u16(status).expect("a status"),
                Bytes::from_static(body.as_bytes()),
            )
        };
        assert_eq!(told(200, "{}").expect("fine"), Some(Bytes::from_static(b"{}")));
        assert_eq!(told(204, "").expect("fine"), None);
        assert!(matches!(told(409, ""), Err(DeskError::Lost)));
        for status in [429, 500, 503] {
            assert!(matches!(told(status, ""), Err(DeskError::Failed(_))), "{status}");
        }
        let refused = told(403, "{ \"detail\": \"another engine\" }").expect_err("refused");
        assert_eq!(refused.to_string(), "the desk refused it: another engine");
        assert!(matches!(told(404, "<html>"), Err(DeskError::Refused(_))));
    }
}
