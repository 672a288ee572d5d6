//! Unguessable names from the system's random number generator.

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Random letters and digits, 5.95 bits each.
pub(crate) fn base62(len: usize) -> String {
    let mut text = String::with_capacity(len);
    let mut bytes = [0; 32];
    while text.len() < len {
        getrandom::fill(&mut bytes).expect("every system that Riga runs on has random numbers");
        // 248 is the largest multiple of 62 in a byte; larger values would make some digits more
        // likely than others.
        let digits = bytes.iter().filter(|&&byte| byte < 248);
        let digits = digits.map(|&byte| char::from(DIGITS[usize::from(byte % 62)]));
        text.extend(digits.take(len - text.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_names_are_long_enough_and_differ() {
        let names: std::collections::HashSet<String> = (0..1000).map(|_| base62(14)).collect();
        assert_eq!(names.len(), 1000);
        assert!(names.iter().all(|name| name.len() == 14));
        let all: String = names.into_iter().collect();
        assert!(DIGITS.iter().all(|&digit| all.contains(char::from(digit))));
    }
}
