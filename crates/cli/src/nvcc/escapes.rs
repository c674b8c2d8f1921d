//! Assembly in which nvcc takes `%laneid` and clang wants `%%laneid`.
//!
//! In assembly with operands `%` and a digit is an operand, and `%%` a percent sign. Anything else
//! behind `%` clang refuses, while nvcc writes it as it stands. So where clang says that an escape is
//! invalid, the file is compiled again from a copy in which that percent sign is doubled. Nothing else
//! is touched, and nothing that clang takes, so no meaning changes. The copy lies over the file
//! (`-ivfsoverlay`), so names, lines, and what is included by them stay.
//!
//! Not mended: `%r1`, which clang takes for the operand 1, and strings that a macro puts together. Such a
//! file is nvcc's, as before.

use std::path::PathBuf;

use anyhow::Result;

use super::overlay::{Copies, Overlay};

/// What clang says of such an escape.
const INVALID: &str = "error: invalid % escape in inline assembly string";
/// Where a macro has it, clang says so behind the error.
const MACRO: &str = "note: expanded from macro";

/// Mended copies of a program's files.
#[derive(Debug, Default)]
pub struct Mended(Overlay);

impl Mended {
    /// Begins with copies that clang reads in any case.
    pub fn of(copies: Copies) -> Self {
        Self(Overlay::of(copies))
    }

    /// Mends what clang's errors, without colours, complain of; false: there is nothing (more) to mend.
    pub fn mend(&mut self, said: &str) -> bool {
        // From the last to the first: what is inserted moves what stands behind it.
        let mut places = complaints(said);
        places.sort();
        places.dedup();
        let mut any = false;
        for (file, line, column) in places.into_iter().rev() {
            let Some(mut text) = self.0.text(&file) else {
                continue;
            };
            if double(&mut text, line, column) {
                any |= self.0.insert(&file, text);
            }
        }
        any
    }

    /// Writes the copies, and says which words make clang read them.
    pub fn words(&mut self) -> Result<Vec<String>> {
        self.0.words()
    }
}

/// Files, lines and columns (from 1) where clang finds an invalid escape.
fn complaints(said: &str) -> Vec<(PathBuf, usize, usize)> {
    let mut places = Vec::new();
    let mut behind = false;
    for line in said.lines() {
        if line.contains(": error: ") {
            behind = line.ends_with(INVALID);
        }
        let at = [INVALID, MACRO].iter().find_map(|what| {
            let (place, _) = line.split_once(&format!(": {what}"))?;
            let (rest, column) = place.rsplit_once(':')?;
            let (file, line) = rest.rsplit_once(':')?;
            Some((file.into(), line.parse().ok()?, column.parse().ok()?))
        });
        places.extend(at.filter(|_| behind));
    }
    places
}

/// Doubles the percent sign that clang refuses at a place, and others up to the end of the literal.
/// clang points at the second character behind it.
fn double(text: &mut Vec<u8>, line: usize, column: usize) -> bool {
    let before = text.split_inclusive(|b| *b == b'\n').take(line - 1);
    let start: usize = before.map(<[u8]>::len).sum();
    let Some(first) = (start + column).checked_sub(3) else {
        return false;
    };
    if first < start || !is_invalid(text, first) {
        return false;
    }
    let mut at = first;
    while at < text.len() && !matches!(text[at], b'"' | b'\n') {
        if is_invalid(text, at) {
            text.insert(at, b'%');
        }
        // An escaped character, whichever it is, ends nothing.
        at += if matches!(text[at], b'%' | b'\\') {
            2
        } else {
            1
        };
    }
    true
}

/// Whether a `%` stands here with a letter behind it, and behind that neither an operand's number nor
/// its name: clang never takes that.
fn is_invalid(text: &[u8], at: usize) -> bool {
    let own = at.checked_sub(1).is_none_or(|b| text.get(b) != Some(&b'%'));
    let next = |by: usize| text.get(at + by).copied().unwrap_or(b' ');
    own && text.get(at) == Some(&b'%')
        && next(1).is_ascii_alphabetic()
        && (next(2).is_ascii_alphabetic() || matches!(next(2), b'_' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_clang_refuses_is_doubled() {
        let mut text =
            b"x\n asm(\"mov %0, %laneid; %%clock %r1 %l[a] %ctaid.x\"); f(\"%ld\");".to_vec();
        assert!(!double(&mut text.clone(), 2, 13), "an operand");
        assert!(!double(&mut text.clone(), 2, 1), "before the line");
        assert!(!double(&mut text.clone(), 7, 20), "behind the file");
        assert!(double(&mut text, 2, 17));
        assert_eq!(
            String::from_utf8(text.clone()).unwrap(),
            "x\n asm(\"mov %0, %%laneid; %%clock %r1 %l[a] %%ctaid.x\"); f(\"%ld\");"
        );
        assert!(!double(&mut text, 2, 17), "it is mended");
    }

    #[test]
    fn errors_are_read_with_their_macros() {
        let said = "In file included from a.cu:1:\n\
            b c.h:3:9: error: invalid % escape in inline assembly string\n    3 | asm\n\
            b c.h:1:7: note: expanded from macro 'LANE'\n\
            a.cu:4:1: error: no member\na.cu:9:7: note: expanded from macro 'N'\n";
        let places = vec![("b c.h".into(), 3, 9), ("b c.h".into(), 1, 7)];
        assert_eq!(complaints(said), places);
        assert!(!Mended::default().mend("a.cu:4:1: error: no member\n"));
    }
}
