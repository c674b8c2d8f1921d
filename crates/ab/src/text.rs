//! Compares what two builds of a program wrote: text as text, numbers as numbers, times not at all.
//!
//! A number counts as a time, and is left out, where a unit of time or rate follows it (`3.2 ms`,
//! `(3.2 GB/s)`), or where its segment of the line (up to `,`, `;`, `|` or a tab) has a word such as
//! *time*, *elapsed* or *GFLOPS*. Everything else is compared; the summary counts both kinds, so
//! that a rule that leaves too much out can be seen.

use regex_lite::Regex;

/// How much two numbers may differ, and which lines do not count.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Largest relative difference; 0 asks for the same digits.
    pub relative: f64,
    /// Largest absolute difference.
    pub absolute: f64,
    /// Lines that match any of these are left out.
    pub ignore: Vec<Regex>,
}

/// What a comparison found.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Everything compared is the same.
    Same(Counts),
    /// Some numbers differ, by no more than allowed; the largest relative difference.
    Within(Counts, f64),
    /// The first thing that differs, in one line.
    Differs(String),
}

/// What was compared and what was not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Lines compared.
    pub lines: usize,
    /// Numbers compared.
    pub numbers: usize,
    /// Numbers left out as times.
    pub times: usize,
    /// Lines left out by `--ignore`.
    pub ignored: usize,
}

#[derive(Debug, PartialEq)]
enum Token<'a> {
    Text(String),
    Number(&'a str),
    Time,
}

/// Compares what `variant` wrote with the reference; what is not text must be equal byte for byte.
pub fn compare(reference: &[u8], variant: &[u8], rules: &Rules) -> Verdict {
    let (Ok(a), Ok(b)) = (std::str::from_utf8(reference), std::str::from_utf8(variant)) else {
        return bytes(reference, variant);
    };
    let ignored = |l: &&str| rules.ignore.iter().any(|r| r.is_match(l));
    let numbered = |text| str::lines(text).enumerate().map(|(i, l)| (i + 1, l));
    let mut left = numbered(a).filter(|(_, l)| !ignored(l));
    let mut right = numbered(b).filter(|(_, l)| !ignored(l));
    let mut counts = Counts {
        ignored: a.lines().filter(ignored).count(),
        ..Counts::default()
    };
    let mut worst = 0f64;
    loop {
        let ((n, x), (_, y)) = match (left.next(), right.next()) {
            (None, None) => break,
            (Some(x), Some(y)) => (x, y),
            (Some((n, x)), None) => return differs(n, x, "(no such line)"),
            (None, Some((n, y))) => return differs(n, "(no such line)", y),
        };
        match line(x, y, rules, &mut counts) {
            Some(difference) => worst = worst.max(difference),
            None => return differs(n, x, y),
        }
    }
    if worst > 0.0 {
        Verdict::Within(counts, worst)
    } else {
        Verdict::Same(counts)
    }
}

fn differs(line: usize, reference: &str, variant: &str) -> Verdict {
    let short = |s: &str| s.trim().chars().take(60).collect::<String>();
    Verdict::Differs(format!(
        "line {line}: `{}` became `{}`",
        short(reference),
        short(variant)
    ))
}

fn bytes(a: &[u8], b: &[u8]) -> Verdict {
    if a == b {
        return Verdict::Same(Counts::default());
    }
    let at = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    Verdict::Differs(format!(
        "binary, {} and {} bytes, first difference at byte {at}",
        a.len(),
        b.len()
    ))
}

/// The largest relative difference of two lines that agree; `None` if they do not.
fn line(a: &str, b: &str, rules: &Rules, counts: &mut Counts) -> Option<f64> {
    let (a, b) = (tokens(a), tokens(b));
    if a.len() != b.len() {
        return None;
    }
    counts.lines += 1;
    let mut worst = 0f64;
    for pair in a.iter().zip(&b) {
        match pair {
            (Token::Text(x), Token::Text(y)) if x == y => {}
            (Token::Time, Token::Time) => counts.times += 1,
            (Token::Number(x), Token::Number(y)) => {
                counts.numbers += 1;
                worst = worst.max(number(x, y, rules)?);
            }
            _ => return None,
        }
    }
    Some(worst)
}

/// The relative difference of two numbers if it is allowed. Equal digits agree at any tolerance,
/// so that `nan` agrees with itself; `-0` and `0` differ where the same digits are asked for.
fn number(a: &str, b: &str, rules: &Rules) -> Option<f64> {
    if a == b {
        return Some(0.0);
    }
    let (x, y): (f64, f64) = (a.parse().ok()?, b.parse().ok()?);
    let difference = (x - y).abs();
    let scale = x.abs().max(y.abs());
    // A NaN or an infinity is near nothing but itself.
    let near = difference <= rules.absolute || difference <= rules.relative * scale;
    let within = difference.is_finite() && near;
    let asked = rules.relative > 0.0 || rules.absolute > 0.0;
    (asked && within).then(|| {
        if scale > 0.0 {
            (difference / scale).max(f64::MIN_POSITIVE)
        } else {
            f64::MIN_POSITIVE
        }
    })
}

/// The line as text and numbers; white space only separates.
fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    for segment in line.split_inclusive([',', ';', '|', '\t']) {
        let timing = has_timing_word(segment);
        let mut rest = segment;
        let mut before = None;
        while let Some(c) = rest.chars().next() {
            let starts = !before.is_some_and(|b: char| b.is_alphanumeric() || b == '_' || b == '.');
            if let Some(length) = if starts { numeric(rest) } else { None } {
                let (text, after) = rest.split_at(length);
                // A sign straight after a word or bracket is an operator or a dash in both lines
                // alike, so reading it as the number's does no harm.
                all.push(if timing || unit_follows(after) {
                    Token::Time
                } else {
                    Token::Number(text)
                });
                before = text.chars().last();
                rest = after;
                continue;
            }
            push_text(&mut all, c);
            before = Some(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    for token in &mut all {
        if let Token::Text(t) = token {
            *t = t.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }
    // Only now is it known which texts were nothing but white space.
    all.retain(|t| !matches!(t, Token::Text(t) if t.is_empty()));
    all
}

fn push_text(all: &mut Vec<Token<'_>>, c: char) {
    if let Some(Token::Text(text)) = all.last_mut() {
        text.push(c);
    } else {
        all.push(Token::Text(c.to_string()));
    }
}

/// Length of the number that `text` begins with, if what follows does not make it part of a word.
fn numeric(text: &str) -> Option<usize> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = text.len() - unsigned.len();
    let lower: String = unsigned
        .chars()
        .take(8)
        .flat_map(char::to_lowercase)
        .collect();
    let length = match ["infinity", "inf", "nan"]
        .iter()
        .find(|w| lower.starts_with(*w))
    {
        Some(word) => word.len(),
        None => digits(unsigned)?,
    };
    let after = &unsigned[length..];
    let word: String = after
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    let suffix = matches!(word.as_str(), "" | "f" | "F" | "u" | "U" | "l" | "L");
    (suffix || is_unit(&unit(after))).then_some(sign + length)
}

/// Length of `12`, `1.5`, `.5`, `1.`, `1e-3` at the start of `text`.
fn digits(text: &str) -> Option<usize> {
    let run = |from: usize| {
        text[from..]
            .bytes()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let whole = run(0);
    let mut length = whole;
    if text[length..].starts_with('.') {
        let fraction = run(length + 1);
        if whole + fraction == 0 {
            return None;
        }
        length += 1 + fraction;
    } else if whole == 0 {
        return None;
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = run(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    Some(length)
}

/// The word a unit would be, straight at the start of `text`, in lower case.
fn unit(text: &str) -> String {
    let word = text
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '/' | '_'));
    word.flat_map(char::to_lowercase).collect()
}

fn unit_follows(after: &str) -> bool {
    is_unit(&unit(after.trim_start_matches([' ', '(', '['])))
}

/// Units of time and rate. `min` and `h` are not among them: they mean other things as often.
fn is_unit(word: &str) -> bool {
    const TIME: &[&str] = &[
        "s",
        "sec",
        "secs",
        "ms",
        "msec",
        "msecs",
        "us",
        "\u{b5}s",
        "\u{3bc}s",
        "usec",
        "usecs",
        "ns",
        "nsec",
        "nsecs",
        "second",
        "seconds",
        "millisecond",
        "milliseconds",
        "microsecond",
        "microseconds",
        "nanosecond",
        "nanoseconds",
        "minutes",
        "cycles",
        "ticks",
        "hz",
        "khz",
        "mhz",
        "ghz",
        "fps",
    ];
    let rate = ["/s", "/sec", "/second"].iter().any(|r| word.ends_with(r));
    // `usec/iter`, `ms/frame`
    let per = word
        .split_once('/')
        .is_some_and(|(time, _)| TIME.contains(&time));
    rate || per || TIME.contains(&word) || is_operations(word)
}

/// `flops`, `gflops`, `gflop`, `gops` and their kin.
fn is_operations(word: &str) -> bool {
    let stem = word.strip_prefix(['k', 'm', 'g', 't', 'p']);
    word == "flops" || stem.is_some_and(|s| matches!(s, "flop" | "flops" | "ops"))
}

/// Whether the segment says that it is about time. A unit says so as a heading (`kernel (ms): 3.2`),
/// but not behind a number, where it speaks for that number alone (`sum 5 in 3.2 ms`).
fn has_timing_word(segment: &str) -> bool {
    const WORDS: &[&str] = &[
        "elapsed",
        "duration",
        "timing",
        "latency",
        "took",
        "speedup",
        "speed",
        "throughput",
        "bandwidth",
        "performance",
    ];
    let lower = segment.to_lowercase();
    let between = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ':' | '=');
    let mut number_before = false;
    let mut end = 0;
    for word in lower.split(between) {
        let bracket = lower[..end].ends_with(['(', '[']);
        end += word.len()
            + lower[end + word.len()..]
                .chars()
                .next()
                .map_or(0, char::len_utf8);
        let heading = !number_before && is_unit(word) && (word.len() > 1 || bracket);
        let mut parts = word.split(|c: char| !c.is_alphanumeric());
        if heading || parts.any(|p| WORDS.contains(&p) || is_time(p)) {
            return true;
        }
        if !word.is_empty() {
            number_before = word.parse::<f64>().is_ok();
        }
    }
    false
}

/// `time`, `runtime`, `kernelTime`, `timer`; but not `times`, which counts.
fn is_time(word: &str) -> bool {
    word.ends_with("time") || word.ends_with("timer")
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
