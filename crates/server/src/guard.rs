//! Middleware for all requests: rate limits, host and origin checks, authentication.

use std::hash::Hash;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use store::Secret;

use crate::account::cookie_name;
use crate::app::App;
use crate::bucket::{Buckets, Quota};
use crate::config::{Config, Mode, Public};
use crate::connection::Connection;
use crate::metrics::Answered;
use crate::pool::Owner;
use crate::problem::{Failure, Kind, Result};
use crate::visitor::{SignedIn, Visitor};

/// Limits per address or visitor. A local server has none.
#[derive(Default)]
pub(crate) struct Limiter {
    requests: Option<Buckets<IpAddr>>,
    /// Sign-in attempts, each of which costs the server a tenth of a second.
    attempts: Option<Buckets<IpAddr>>,
    /// Attempts at the password of an account, wherever they come from. Names that nobody has are
    /// counted, too: the response must not tell them apart.
    guesses: Option<Buckets<String>>,
    /// Analyses, over all sockets of a visitor.
    analyses: Option<Buckets<Owner>>,
}

/// Names are counted by this many characters, more than an account's can have.
const LONGEST_KEY: usize = 100;

/// Ten sign-in attempts at once, and ten per minute.
const ATTEMPTS: Quota = Quota { per_second: 10.0 / 60.0, burst: 10.0 };

/// As many analyses as one socket has messages.
const ANALYSES: Quota = Quota { per_second: 20.0, burst: 60.0 };

/// Twenty attempts at an account at once, and one per minute.
const GUESSES: Quota = Quota { per_second: 1.0 / 60.0, burst: 20.0 };

impl Limiter {
    pub fn new(config: &Config) -> Self {
        let Some(public) = config.public() else { return Self::default() };
        let requests = Quota {
            per_second: f64::from(public.requests_per_second.max(1)),
            burst: f64::from(public.burst.max(1)),
        };
        Self {
            requests: Some(Buckets::new(requests)),
            attempts: Some(Buckets::new(ATTEMPTS)),
            guesses: Some(Buckets::new(GUESSES)),
            analyses: Some(Buckets::new(ANALYSES)),
        }
    }

    /// Counts an attempt to sign in or to take a name.
    pub fn attempt(&self, address: IpAddr) -> Result<()> {
        check(self.attempts.as_ref(), address_prefix(address))
    }

    pub fn analysis(&self, owner: Owner) -> Result<()> {
        check(self.analyses.as_ref(), owner)
    }

    /// Counts an attempt at the password of an account.
    pub fn guess(&self, name: &str) -> Result<()> {
        let Some(guesses) = &self.guesses else { return Ok(()) };
        let name = name.trim().to_lowercase().chars().take(LONGEST_KEY).collect();
        guesses.take(name).map_err(|wait| Failure::too_fast(wait.as_secs() + 1))
    }

    /// Drops addresses that have been idle.
    pub fn tidy(&self) {
        for limiter in [&self.requests, &self.attempts].into_iter().flatten() {
            limiter.tidy();
        }
        if let Some(analyses) = &self.analyses {
            analyses.tidy();
        }
        if let Some(guesses) = &self.guesses {
            guesses.tidy();
        }
    }
}

fn check<K: Eq + Hash>(limiter: Option<&Buckets<K>>, key: K) -> Result<()> {
    let Some(limiter) = limiter else { return Ok(()) };
    limiter.take(key).map_err(|wait| Failure::too_fast(wait.as_secs() + 1))
}

/// The unit of rate limiting: an IPv4 address, or the /64 prefix of an IPv6 address.
pub(crate) fn address_prefix(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & !(u128::MAX >> 64)).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Browsers use HTTPS only, for a year.
const ALWAYS_HTTPS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Passes a request on, or rejects it.
pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    Extension(connection): Extension<Arc<Connection>>,
    mut request: Request,
    next: Next,
) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = match admit(&app, connection, &method, request.headers()).await {
        Ok(visitor) => {
            request.extensions_mut().insert(visitor);
            next.run(request).await
        }
        Err(failure) => failure.into_response(),
    };
    let status = response.status();
    tracing::debug!(%method, path, status = status.as_u16(), "answered");
    app.metrics.requests.get_or_create(&Answered { status: status.as_u16() }).inc();
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    if app.config.public().is_some_and(Public::is_secure) {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, ALWAYS_HTTPS);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn admit(
    app: &App,
    connection: Arc<Connection>,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Visitor> {
    let address = address(&app.config, connection.peer, headers);
    check(app.limiter.requests.as_ref(), address_prefix(address))?;
    if let Mode::Local = app.config.mode {
        check_host(app.config.address, headers)?;
    }
    let signed_in = signed_in(app, headers).await?;
    let safe = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    let socket = headers.contains_key(header::SEC_WEBSOCKET_KEY);
    if !safe || socket {
        check_origin(app.config.public(), headers)?;
    }
    if let (false, Some(_), Some(signed_in)) = (safe, app.config.public(), &signed_in) {
        check_csrf(signed_in, headers)?;
    }
    let seat = text(headers, "x-seat").map(|secret| Secret::from(secret.to_owned()));
    Ok(Visitor { address, signed_in, seat, connection })
}

/// The client's address: the last one added by our own proxy, or the peer's.
fn address(config: &Config, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
    let forwarded = || {
        let all = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        forwarded_address(all.rsplit(',').next()?.trim())
    };
    let proxied = config.public().is_some_and(|public| public.behind_proxy);
    proxied.then(forwarded).flatten().unwrap_or(peer.ip())
}

/// An address as proxies write it: plain, in brackets, with or without a port.
fn forwarded_address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let with_port = |_| text.parse::<SocketAddr>().map(|address| address.ip());
    bare.parse().or_else(with_port).ok()
}

/// DNS rebinding protection: another site can point its own host name at this machine, so only
/// local names are accepted.
fn check_host(address: SocketAddr, headers: &HeaderMap) -> Result<()> {
    let host = text(headers, "host").unwrap_or_default();
    if names_this_machine(host) || host_address(host) == Some(address.ip()) {
        return Ok(());
    }
    Err(Failure::new(Kind::ForeignOrigin, "a local server only accepts requests to localhost"))
}

/// Whether a host, with or without a port, is this machine by name or by a loopback address.
pub(crate) fn names_this_machine(host: &str) -> bool {
    without_port(host).eq_ignore_ascii_case("localhost")
        || host_address(host).is_some_and(|address| address.is_loopback())
}

/// The address that a host is, if it is not a name.
fn host_address(host: &str) -> Option<IpAddr> {
    let name = without_port(host);
    let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    bare.unwrap_or(name).parse().ok()
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|c| c.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Whether a request shows this token as its bearer token.
pub(crate) fn shows_token(token: Option<&str>, headers: &HeaderMap) -> bool {
    let shown = text(headers, "authorization").and_then(|value| value.strip_prefix("Bearer "));
    // Comparing hashes doesn't leak the token through timing.
    let hash = |text: &str| Secret::from(text.to_owned()).hash();
    token.zip(shown).is_some_and(|(token, shown)| hash(token) == hash(shown))
}

/// State-changing requests must come from our own pages, or from no page at all.
fn check_origin(public: Option<&Public>, headers: &HeaderMap) -> Result<()> {
    let foreign = || Failure::new(Kind::ForeignOrigin, "the request comes from another site");
    let ours = match public {
        Some(public) => public.origin.clone(),
        None => format!("http://{}", text(headers, "host").unwrap_or_default()),
    };
    if headers.contains_key(header::ORIGIN) && text(headers, "origin") != Some(&ours) {
        return Err(foreign());
    }
    match text(headers, "sec-fetch-site") {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) => Err(foreign()),
    }
}

fn check_csrf(signed_in: &SignedIn, headers: &HeaderMap) -> Result<()> {
    let shown = text(headers, "x-csrf-token").unwrap_or_default().to_owned();
    // Comparing hashes doesn't leak the token through timing.
    if Secret::from(shown).hash() == signed_in.session.csrf.hash() {
        return Ok(());
    }
    Err(Failure::new(Kind::ForeignOrigin, "the header x-csrf-token is missing or wrong"))
}

async fn signed_in(app: &App, headers: &HeaderMap) -> Result<Option<SignedIn>> {
    let jar = CookieJar::from_headers(headers);
    let Some(cookie) = jar.get(cookie_name(&app.config)) else { return Ok(None) };
    let token = Secret::from(cookie.value().to_owned());
    let Some(session) = app.store.session(&token).await? else { return Ok(None) };
    let user = app.store.user(session.user).await?;
    Ok(Some(SignedIn { user, session, token }))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let value = |text: &str| HeaderValue::from_str(text).expect("a header");
        pairs.iter().map(|&(name, text)| (name.parse().expect("a name"), value(text))).collect()
    }

    #[test]
    fn a_local_server_answers_to_local_names_only() {
        let address = SocketAddr::from(([127, 0, 0, 1], 8000));
        for host in ["localhost", "localhost:8000", "LOCALHOST", "127.0.0.1:8000", "[::1]:8000"] {
            check_host(address, &headers(&[("host", host)])).expect(host);
        }
        for host in ["", "evil.example", "evil.example:8000", "localhost.evil.example", "10.0.0.1"]
        {
            check_host(address, &headers(&[("host", host)])).expect_err(host);
        }
        for (address, host) in [("10.0.0.1:8000", "10.0.0.1:8000"), ("[fd00::1]:80", "[fd00::1]")] {
            let address = address.parse().expect("an address");
            check_host(address, &headers(&[("host", host)])).expect("where it listens");
        }
    }

    #[test]
    fn only_the_same_token_counts() {
        let shown = |text| headers(&[("authorization", text)]);
        assert!(shows_token(Some("secret"), &shown("Bearer secret")));
        assert!(!shows_token(Some("secret"), &shown("Bearer guess")));
        assert!(!shows_token(Some("secret"), &HeaderMap::new()));
        assert!(!shows_token(None, &shown("Bearer ")));
    }

    #[test]
    fn changes_come_from_our_own_pages() {
        let local = |origin| headers(&[("host", "localhost:8000"), ("origin", origin)]);
        check_origin(None, &local("http://localhost:8000")).expect("ours");
        check_origin(None, &headers(&[("host", "localhost:8000")])).expect("no page");
        for origin in ["http://localhost:9000", "https://localhost:8000", "null", "http://evil"] {
            check_origin(None, &local(origin)).expect_err(origin);
        }
        let public = Public::new("https://chess.example/");
        check_origin(Some(&public), &headers(&[("origin", "https://chess.example")]))
            .expect("ours");
        check_origin(Some(&public), &headers(&[("origin", "https://evil.example")]))
            .expect_err("theirs");
        check_origin(Some(&public), &headers(&[("sec-fetch-site", "cross-site")]))
            .expect_err("theirs");
    }

    #[test]
    fn only_a_trusted_proxy_says_who_asks() {
        let peer = SocketAddr::from(([10, 0, 0, 1], 1));
        let headers = headers(&[("x-forwarded-for", "6.6.6.6, 1.2.3.4")]);
        let mut public = Public::new("https://chess.example");
        let config =
            |public: &Public| Config { mode: Mode::Public(public.clone()), ..Config::default() };
        assert_eq!(address(&config(&public), peer, &headers), peer.ip());
        public.behind_proxy = true;
        assert_eq!(address(&config(&public), peer, &headers), IpAddr::from([1, 2, 3, 4]));
    }

    #[test]
    fn forwarded_addresses_may_have_a_port() {
        for (text, address) in [
            ("1.2.3.4", Some("1.2.3.4")),
            ("1.2.3.4:5678", Some("1.2.3.4")),
            ("2001:db8::1", Some("2001:db8::1")),
            ("[2001:db8::1]", Some("2001:db8::1")),
            ("[::1]:99", Some("::1")),
            ("unknown", None),
            ("1.2.3.4:x", None),
            ("", None),
        ] {
            let address = address.map(|text| text.parse().expect("an address"));
            assert_eq!(forwarded_address(text), address, "{text}");
        }
    }

    #[test]
    fn attempts_at_an_account_are_counted_from_all_addresses() {
        let mode = Mode::Public(Public::new("https://chess.example"));
        let limiter = Limiter::new(&Config { mode, ..Config::default() });
        for _ in 0..10 {
            limiter.guess("Misha").expect("few attempts");
            limiter.guess(" misha ").expect("few attempts");
        }
        assert_eq!(limiter.guess("MISHA").expect_err("too many").kind, Kind::TooManyRequests);
        limiter.guess("Anna").expect("another account");
        Limiter::new(&Config::default()).guess("Misha").expect("a local server doesn't count");
    }

    #[test]
    fn analyses_are_counted_per_visitor() {
        let mode = Mode::Public(Public::new("https://chess.example"));
        let limiter = Limiter::new(&Config { mode, ..Config::default() });
        let [a, b] = [[1, 2, 3, 4], [1, 2, 3, 5]].map(|ip| Owner::Address(ip.into()));
        let passed = (0..200).filter(|_| limiter.analysis(a.clone()).is_ok()).count();
        assert!((60..100).contains(&passed), "{passed}");
        limiter.analysis(b).expect("another visitor");
        let local = Limiter::new(&Config::default());
        assert!((0..200).all(|_| local.analysis(a.clone()).is_ok()));
    }

    #[test]
    fn ipv6_addresses_share_a_prefix() {
        let [a, b, c] = ["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1"]
            .map(|text| address_prefix(text.parse().expect("an address")));
        assert!(a == b && b != c);
    }
}
