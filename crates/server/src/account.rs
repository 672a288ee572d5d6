//! Passwords and the cookie of those who have signed in.

use std::sync::Arc;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use axum_extra::extract::cookie::{Cookie, SameSite};
use store::Secret;
use tokio::sync::Semaphore;
use wire::Password;

use crate::config::Config;
use crate::problem::{Failure, Kind, Result};

/// How long somebody stays signed in.
pub(crate) const SESSION: Duration = Duration::from_hours(720);

/// The shortest password, in characters.
const SHORTEST: usize = 8;

/// The longest, in bytes: a limit on work, not on imagination.
const LONGEST: usize = 1000;

/// Passwords that everybody tries first, of those that are long enough.
const COMMON: &str = include_str!("common_passwords.txt");

/// Hashes and checks passwords, two at a time: each takes memory and a core for a while.
pub(crate) struct Passwords(Arc<Semaphore>);

impl Default for Passwords {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(2)))
    }
}

impl Passwords {
    /// The hash of a password that is good enough.
    pub async fn hash(&self, name: &str, password: Password) -> Result<String> {
        check(name, &password.0)?;
        self.run(move || {
            let hash: PasswordHash = Argon2::default()
                .hash_password(password.0.as_bytes())
                .expect("argon2 hashes any password of less than a gigabyte");
            hash.to_string()
        })
        .await
    }

    /// Whether a password is the one of a hash. Takes the same time if there is no hash, so that
    /// nobody learns which names exist.
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
        let permit = Arc::clone(&self.0).acquire_owned().await.expect("it is never closed");
        let done = tokio::task::spawn_blocking(move || {
            let done = job();
            drop(permit);
            done
        });
        done.await.map_err(|_| Failure::new(Kind::Internal, "the password could not be checked"))
    }
}

/// The hash of a password that nobody has.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IGZvciBub2JvZHk$\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn check(name: &str, password: &str) -> Result<()> {
    let refuse = |why: &str| Err(Failure::field(Kind::InvalidRequest, "password", why));
    let plain = password.to_lowercase();
    if password.chars().count() < SHORTEST {
        refuse("it must have 8 characters or more")
    } else if password.len() > LONGEST {
        refuse("it must have 1000 bytes or less")
    } else if COMMON.lines().any(|common| common == plain) || plain == name.to_lowercase() {
        refuse("everybody would guess it")
    } else {
        Ok(())
    }
}

/// The name of the cookie. Browsers keep one with `__Host-` from other hosts and open connections.
pub(crate) fn cookie_name(config: &Config) -> &'static str {
    if is_secure(config) { "__Host-riga" } else { "riga" }
}

fn is_secure(config: &Config) -> bool {
    config.public().is_some_and(crate::config::Public::is_secure)
}

/// The cookie for who has signed in; without a token, the one that ends it.
pub(crate) fn cookie(config: &Config, token: Option<&Secret>) -> Cookie<'static> {
    let value = token.map_or("", Secret::as_str).to_owned();
    let lifetime = token.map_or(Duration::ZERO, |_| SESSION);
    Cookie::build((cookie_name(config), value))
        .path("/")
        .http_only(true)
        .secure(is_secure(config))
        .same_site(SameSite::Lax)
        .max_age(lifetime.try_into().expect("a month is a time"))
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
        let hash = passwords.hash("misha", password(text)).await.expect("it is good");
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

    #[test]
    fn short_endless_and_common_passwords_are_refused() {
        for (text, why) in [
            ("1234567", "8 characters"),
            ("password", "guess"),
            ("PassWord1", "guess"),
            ("Mikhail Tal", "guess"),
            (&"x".repeat(1001), "1000 bytes"),
        ] {
            let refused = check("mikhail tal", text).expect_err(text);
            assert!(refused.detail.contains(why), "{text}: {}", refused.detail);
        }
        check("misha", "🐴🐴🐴🐴🐴🐴🐴🐴").expect("eight characters");
        assert!(COMMON.lines().all(|line| line == line.to_lowercase() && line.len() >= SHORTEST));
        assert!(COMMON.lines().count() >= 100);
    }
}
