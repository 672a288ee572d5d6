//! Passwords and session cookies.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use axum_extra::extract::cookie::{Cookie, SameSite};
use store::Secret;
use tokio::sync::oneshot;
use wire::{Fault, Password};

use crate::config::Config;
use crate::guessable::Guessable;
use crate::problem::{Failure, Kind, Result};

/// Lifetime of a session.
pub(crate) const SESSION: Duration = Duration::from_hours(720);

/// Minimum password length in characters.
const SHORTEST: usize = 8;

/// Maximum password length in bytes, to bound the hashing work.
const LONGEST: usize = 1000;

/// Hashes and verifies passwords on two threads of its own. Each hash uses a lot of memory, which
/// the allocator keeps for the thread that has used it: on the runtime's threads, of which there
/// are hundreds, that would add up.
pub(crate) struct Passwords {
    guessable: Guessable,
    jobs: mpsc::Sender<Job>,
}

type Job = Box<dyn FnOnce() + Send>;

const THREADS: usize = 2;

impl Default for Passwords {
    fn default() -> Self {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..THREADS {
            let queue = Arc::clone(&queue);
            let work = move || loop {
                let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok(job) = job else { return };
                // After a panic, its caller finds the channel closed; the thread is still needed.
                let _ = catch_unwind(AssertUnwindSafe(job));
            };
            let started = thread::Builder::new().name("passwords".to_owned()).spawn(work);
            started.expect("the system can start two threads");
        }
        Self { guessable: Guessable::default(), jobs }
    }
}

impl Passwords {
    /// Checks the strength of a password and hashes it.
    pub async fn hash(&self, name: &str, password: Password) -> Result<String> {
        self.check(name, &password.0)?;
        self.run(move || {
            let hash: PasswordHash = Argon2::default()
                .hash_password(password.0.as_bytes())
                .expect("argon2 hashes any password of less than a gigabyte");
            hash.to_string()
        })
        .await
    }

    /// Verifies a password against a hash. Takes the same time without a hash, so that timing
    /// doesn't reveal which names exist.
    pub async fn verify(&self, password: Password, hash: Option<String>) -> Result<bool> {
        if password.0.len() > LONGEST {
            return Ok(false);
        }
        self.run(move || {
            let known = hash.is_some();
            let hash = hash.as_deref().unwrap_or(NOBODY);
            let right = PasswordHash::new(hash).is_ok_and(|hash| {
                Argon2::default().verify_password(password.0.as_bytes(), &hash).is_ok()
            });
            known && right
        })
        .await
    }

    async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let (result, done) = oneshot::channel();
        // Nobody waits any more if the request was cancelled.
        let job: Job = Box::new(move || drop(result.send(job())));
        let failed = || Failure::new(Kind::Internal, "failed to check the password");
        self.jobs.send(job).map_err(|_| failed())?;
        done.await.map_err(|_| failed())
    }

    fn check(&self, name: &str, password: &str) -> Result<()> {
        let refuse = |code: &str, why: &str| {
            let failure = Failure::field(Kind::InvalidRequest, "password", why);
            Err(failure.because(Fault::new(code, [])))
        };
        if password.chars().count() < SHORTEST {
            let why = format!("the password needs at least {SHORTEST} characters");
            return refuse("password_short", &why);
        }
        if password.len() > LONGEST {
            let why = format!("the password may have at most {LONGEST} bytes");
            return refuse("password_long", &why);
        }
        if password.trim().is_empty() {
            return refuse("password_blank", "the password can't consist of spaces only");
        }
        let core = password.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
        let named = [core, password.trim().to_lowercase()].contains(&name.trim().to_lowercase());
        if named || self.guessable.contains(password) {
            return refuse("password_guessable", "this password is too easy to guess");
        }
        Ok(())
    }
}

/// A hash that no password matches.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IGZvciBub2JvZHk$\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The cookie's name. Browsers protect `__Host-` cookies from other hosts and plain HTTP.
pub(crate) fn cookie_name(config: &Config) -> &'static str {
    if is_secure(config) { "__Host-riga" } else { "riga" }
}

fn is_secure(config: &Config) -> bool {
    config.public().is_some_and(crate::config::Public::is_secure)
}

/// The session cookie; without a token, one that clears it.
pub(crate) fn cookie(config: &Config, token: Option<&Secret>) -> Cookie<'static> {
    let value = token.map_or("", Secret::as_str).to_owned();
    let lifetime = token.map_or(Duration::ZERO, |_| SESSION);
    Cookie::build((cookie_name(config), value))
        .path("/")
        .http_only(true)
        .secure(is_secure(config))
        .same_site(SameSite::Lax)
        .max_age(lifetime.try_into().expect("a month is a valid duration"))
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password(text.to_owned())
    }

    #[tokio::test]
    async fn a_password_fits_its_hash_and_no_other_does() {
        let passwords = Passwords::default();
        let text = "correct horse бატ 🐴";
        let hash = passwords.hash("misha", password(text)).await.expect("strong enough");
        assert!(hash.starts_with("$argon2id$"), "{hash}");
        let verify = |text: &str, hash: Option<&str>| {
            passwords.verify(password(text), hash.map(str::to_owned))
        };
        assert!(verify(text, Some(&hash)).await.expect("checked"));
        assert!(!verify("correct horse", Some(&hash)).await.expect("checked"));
        assert!(!verify(text, Some("damaged")).await.expect("checked"));
        assert!(!verify(text, None).await.expect("checked"));
        assert!(PasswordHash::new(NOBODY).is_ok());
    }

    #[tokio::test]
    async fn a_panic_ends_no_thread() {
        let passwords = Passwords::default();
        for _ in 0..2 * THREADS {
            passwords.run::<()>(|| panic!("on purpose")).await.expect_err("it has failed");
        }
        assert!(!passwords.verify(password("guess"), None).await.expect("checked"));
    }

    #[test]
    fn short_endless_and_common_passwords_are_refused() {
        let passwords = Passwords::default();
        for (text, why) in [
            ("1234567", "8 characters"),
            ("password", "guess"),
            ("PassWord1", "guess"),
            ("Mikhail Tal", "guess"),
            ("mikhail tal 1936", "guess"),
            ("          ", "spaces"),
            ("\u{2003}\u{3000}\u{a0}     ", "spaces"),
            (&"x".repeat(1001), "1000 bytes"),
        ] {
            let refused = passwords.check("mikhail tal", text).expect_err(text);
            assert!(refused.detail.contains(why), "{text}: {}", refused.detail);
        }
        passwords.check("misha", "🐴🐓🐎🐖🐕🐈🐇🐢").expect("eight characters");
    }
}
