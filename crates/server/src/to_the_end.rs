//! Runs requests that change something to their end. A handler is dropped when its client goes away,
//! wherever it happens to be; what it has begun must not depend on that.

use std::panic::resume_unwind;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::{Failure, Kind};

/// Answers a request. If it can change something, it goes on even if nobody waits for the answer.
pub(crate) async fn to_the_end(request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    match tokio::spawn(next.run(request)).await.map_err(tokio::task::JoinError::try_into_panic) {
        Ok(response) => response,
        Err(Ok(panic)) => resume_unwind(panic),
        Err(Err(_)) => Failure::new(Kind::Busy, "the server is stopping").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::Router;
    use axum::middleware::from_fn;
    use axum::routing::post;
    use tokio::io::AsyncWriteExt;
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::mpsc;
    use tokio::time::{sleep, timeout};

    use super::*;

    #[tokio::test]
    async fn a_handler_goes_on_when_its_client_has_gone() {
        let (step, mut steps) = mpsc::unbounded_channel();
        let handler = move || async move {
            step.send("begun").expect("the test waits");
            sleep(Duration::from_millis(100)).await;
            step.send("done").expect("the test waits");
        };
        let router = Router::new().route("/", post(handler)).layer(from_fn(to_the_end));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        let mut client = TcpStream::connect(address).await.expect("it listens");
        let request = b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n";
        client.write_all(request).await.expect("it listens");
        assert_eq!(steps.recv().await, Some("begun"));
        drop(client);
        let end = timeout(Duration::from_secs(10), steps.recv()).await;
        assert_eq!(end, Ok(Some("done")));
    }
}
