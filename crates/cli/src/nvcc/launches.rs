//! Launches with a gap in their brackets: `kernel << <grid, block>> > (x)`, as some editors write them.
//!
//! nvcc takes `<< <` for `<<<` and `>> >` for `>>>`, and clang does not. So clang gets a copy of the file
//! in which they are joined:
//!
//! ```text
//! scale << <grid, block >> > (x);
//! scale <<< grid, block >>>  (x);
//! ```
//! What stands behind on the line keeps its column, and no line is added.
//!
//! Joined is what nvcc takes: `<<` and `<` on one line, `>>` and `>` with anything white between them;
//! `< <<` and `> >>` it does not take. `<< <` never stands in a program but behind `operator`. `>> >` does
//! (`A<B<C<int>> >`), so it is joined only where it ends what `<<<` or `<< <` began. Where the two are in
//! different macros, clang refuses the file as before, and it is nvcc's.

use super::tokens::{self, Kind, Token};

/// How many tokens a launch's configuration may have, so that a bracket without an end costs little.
const MOST_TOKENS: usize = 4096;

/// The text with its launches joined; `None`: there are none to join.
pub fn joined(text: &[u8]) -> Option<Vec<u8>> {
    if !may_have(text) {
        return None;
    }
    let tokens = tokens::read(text);
    let mut gaps = Vec::new();
    for at in 0..tokens.len() {
        let Some(opener) = opener(text, &tokens, at) else {
            continue;
        };
        gaps.extend(opener.gap);
        gaps.extend(closer(&tokens, opener.behind));
    }
    gaps.sort();
    gaps.dedup();
    if gaps.is_empty() {
        return None;
    }
    let mut made = Vec::with_capacity(text.len() + gaps.len());
    let mut from = 0;
    for Gap { start, end } in gaps {
        made.extend_from_slice(&text[from..start]);
        made.push(text[end]);
        made.extend_from_slice(&text[start..end]);
        // The bracket on the next line leaves its place empty, as there the columns begin anew.
        made.extend(text[start..end].contains(&b'\n').then_some(b' '));
        from = end + 1;
    }
    made.extend_from_slice(&text[from..]);
    Some(made)
}

/// What stands between two brackets that are one: a bracket is at `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Gap {
    start: usize,
    end: usize,
}

impl Gap {
    fn between(first: &Token, second: &Token) -> Self {
        Self {
            start: first.end,
            end: second.start,
        }
    }
}

/// The beginning of a launch.
struct Opener {
    gap: Option<Gap>,
    /// The token behind it.
    behind: usize,
}

/// Whether a file is worth to be read token by token: most are not.
fn may_have(text: &[u8]) -> bool {
    let two = |w: &[u8]| w == b"<<" || w == b">>";
    let pairs = text.windows(2).enumerate().filter(|(_, w)| two(w));
    pairs.into_iter().any(|(at, pair)| {
        let rest = &text[at + 2..];
        let next = rest.iter().position(|b| !b.is_ascii_whitespace());
        next.is_some_and(|n| match rest[n] {
            // A comment or a line that goes on: perhaps.
            b'/' | b'\\' => true,
            bracket => n > 0 && bracket == pair[0],
        })
    })
}

fn is(token: &Token, kind: Kind, length: usize) -> bool {
    token.kind == kind && token.end - token.start == length
}

/// Whether a launch begins with this token.
fn opener(text: &[u8], tokens: &[Token], at: usize) -> Option<Opener> {
    let named = at
        .checked_sub(1)
        .is_some_and(|b| tokens[b].kind == Kind::Operator);
    if named {
        return None;
    }
    if is(&tokens[at], Kind::Less, 3) {
        return Some(Opener {
            gap: None,
            behind: at + 1,
        });
    }
    let (first, second) = (&tokens[at], tokens.get(at + 1)?);
    let both = is(first, Kind::Less, 2) && is(second, Kind::Less, 1);
    // In a macro's definition a line's end between the two is none.
    let near = first.directive == second.directive
        && (first.directive > 0 || !text[first.end..second.start].contains(&b'\n'));
    (both && near).then(|| Opener {
        gap: Some(Gap::between(first, second)),
        behind: at + 2,
    })
}

/// The gap in what ends a launch whose configuration begins with token `from`, if it ends with a gap.
///
/// Brackets of templates are counted where they may be such: a `<` behind a name. Where two or more are
/// open, `>> >` may be theirs, and is taken only if nothing else ends the launch.
fn closer(tokens: &[Token], from: usize) -> Option<Gap> {
    let directive = tokens[from - 1].directive;
    let mut rest = tokens[from..]
        .iter()
        .take(MOST_TOKENS)
        .filter(|t| t.directive == directive)
        .peekable();
    let (mut depth, mut angles, mut after_name) = (0, 0_usize, false);
    let mut likely = None;
    while let Some(token) = rest.next() {
        let length = token.end - token.start;
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close if depth == 0 => break,
            Kind::Close => depth -= 1,
            _ if depth > 0 => {}
            Kind::Semicolon => break,
            // Another launch: this one ended before, in a way that was not seen.
            Kind::Less if length == 3 => break,
            Kind::Less if length == 2 && rest.peek().is_some_and(|n| is(n, Kind::Less, 1)) => break,
            Kind::Less if length == 1 && after_name => angles += 1,
            Kind::Greater if length == 1 => angles = angles.saturating_sub(1),
            Kind::Greater if length == 2 => {
                if let Some(next) = rest.next_if(|n| is(n, Kind::Greater, 1)) {
                    let gap = Gap::between(token, next);
                    if angles < 2 {
                        return Some(gap);
                    }
                    likely = Some(gap);
                    angles = angles.saturating_sub(3);
                } else if angles >= 2 {
                    // Else it is a shift.
                    angles -= 2;
                }
            }
            Kind::Greater if angles < 3 => return None,
            Kind::Greater => angles -= 3,
            _ => {}
        }
        after_name = token.kind == Kind::Word;
    }
    likely
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(given: &str) -> String {
        let made = joined(given.as_bytes());
        made.map_or_else(|| "as it is".into(), |m| String::from_utf8(m).unwrap())
    }

    #[test]
    fn what_nvcc_takes_for_a_launch_is_joined() {
        for (given, want) in [
            ("k << <g, b >> > (x);", "k <<< g, b >>>  (x);"),
            ("k<< <g, b>> >(x);", "k<<< g, b>>> (x);"),
            ("k<<<g, b>> >(x);", "k<<<g, b>>> (x);"),
            ("k << <g, b>>>(x);", "k <<< g, b>>>(x);"),
            ("k <<\t <g, b>>>(x);", "k <<<\t g, b>>>(x);"),
            ("k <</*<*/<g, b>>>(x);", "k <<</*<*/g, b>>>(x);"),
            // The end may be on other lines, and there columns stay as well.
            ("k<<<g, b>>\n  >(x); f();", "k<<<g, b>>>\n   (x); f();"),
            ("k<<<g, b>>// > \r\n> (x);", "k<<<g, b>>>// > \r\n  (x);"),
            ("t<A<int>><< <1, 1>> >(x);", "t<A<int>><<< 1, 1>>> (x);"),
            ("k << <::g, 1>> >(x);", "k <<< ::g, 1>>> (x);"),
            (
                "auto f = [&] { k << <1, 1>> >(x); };",
                "auto f = [&] { k <<< 1, 1>>> (x); };",
            ),
            (
                "k << <1, 1>> >(x), k << <2, 2>> >(y);",
                "k <<< 1, 1>>> (x), k <<< 2, 2>>> (y);",
            ),
        ] {
            assert_eq!(text(given), want);
        }
    }

    #[test]
    fn the_end_of_a_launch_is_found() {
        for (given, want) in [
            ("k<<<n >> 1, 1 << 2>> >(x);", "k<<<n >> 1, 1 << 2>>> (x);"),
            (
                "k<<<n < 5 ? 1 : 2, n > 3>> >(x);",
                "k<<<n < 5 ? 1 : 2, n > 3>>> (x);",
            ),
            // All of these brackets may be a template's, but then the launch had no end.
            (
                "k<<<n < 2, n < 3, n < 4 >> >(x);",
                "k<<<n < 2, n < 3, n < 4 >>> (x);",
            ),
            (
                "k<<<f<A<A<int>> >(2), 4 >> >(x);",
                "k<<<f<A<A<int>> >(2), 4 >>> (x);",
            ),
            (
                "k<<<f<A<A<int>>>(2), 4 >> >(x);",
                "k<<<f<A<A<int>>>(2), 4 >>> (x);",
            ),
            (
                "k<<<w<A<int>> > 1 ? 1 : 2, 1 >> >(x);",
                "k<<<w<A<int>> > 1 ? 1 : 2, 1 >>> (x);",
            ),
            ("k<<<1, w<int> >> >(x);", "k<<<1, w<int> >>> (x);"),
            (
                "k<<<1, sizeof(A<A<A<int>> >) >> >(x);",
                "k<<<1, sizeof(A<A<A<int>> >) >>> (x);",
            ),
            (
                "k<<<1, a[b >> c], '>', \">> >\" >> >(x);",
                "k<<<1, a[b >> c], '>', \">> >\" >>> (x);",
            ),
            (
                "k<<<1, [] { return A<A<A<int>> >(); }() >> >(x);",
                "k<<<1, [] { return A<A<A<int>> >(); }() >>> (x);",
            ),
            (
                "k<<<1,\n#if X >> >\n2\n#endif\n>> >(x);",
                "k<<<1,\n#if X >> >\n2\n#endif\n>>> (x);",
            ),
        ] {
            assert_eq!(text(given), want);
        }
        // An argument may have a launch of its own.
        assert_eq!(
            text("k << <1, [] { t << <2, 2>> >(y); return 1; }()>> >(x);"),
            "k <<< 1, [] { t <<< 2, 2>>> (y); return 1; }()>>> (x);"
        );
    }

    #[test]
    fn macros_are_joined_by_themselves() {
        for (given, want) in [
            (
                "#define L(k) k << \\\n < 1, 1>> \\\n>(x)\nint y;",
                "#define L(k) k <<< \\\n   1, 1>>> \\\n (x)\nint y;",
            ),
            (
                "#define L(g, b) << <g, b>> >\n",
                "#define L(g, b) <<< g, b>>> \n",
            ),
            (
                "#define L << <\nk L 1, 1>>>(x);",
                "#define L <<< \nk L 1, 1>>>(x);",
            ),
            // The end is another line's, and so another token's.
            ("#define L <<<\nA<B<C<int>> > d;", "as it is"),
        ] {
            assert_eq!(text(given), want);
        }
    }

    #[test]
    fn all_else_stays_as_it_is() {
        for given in [
            "",
            "k<<<g, b>>>(x);",
            "k<<<g, b>>>(A<B<C<int>> >());",
            "std::vector<std::vector<A<int>> > v;",
            "// k << <g, b>> >(x);",
            "/* k << <g, b>> >(x); */",
            "f(\"k << <g, b>> >(x);\");",
            "f(R\"(k << <g, b>> >(x);)\");",
            "auto c = '<<'; f(\"\\\" << <\");",
            "std::cout << a << \" < \" << (b >> 1) << std::endl;",
            "friend std::ostream &operator<< <>(std::ostream &, const F<T> &);",
            "l.operator << <int>(3); l.operator< <int>(3);",
            "int a = 1 << 2, b = c >> 2, d = e > f;",
            // nvcc does not take these either.
            "k < <<g, b>>>(x);",
            "k < < <g, b>>>(x);",
            "k<<<g, b> >>(x);",
            "k<<<g, b> > >(x);",
            "k <<\n<g, b>>>(x);",
            "k << // \n<g, b>>>(x);",
            "k <<<<g, b>> >(x);",
            // A launch without an end takes none of another statement.
            "k<<<g; A<B<C<int>> > d;",
            "f(k<<<g) >> > d;",
            "k<<<g, b>>>(x), A<B<C<int>> >();",
        ] {
            assert_eq!(text(given), "as it is", "{given}");
        }
    }

    #[test]
    fn lines_and_columns_stay_and_once_is_enough() {
        let given = "a; k << <1, 1>> > (x); b;\n t <<  <2,\n 2 >>\n\n> (y); c;\n";
        let made = text(given);
        assert_eq!(text(&made), "as it is");
        for mark in ["b;", "(x)", "2,", "2 >>", "(y)", "c;"] {
            let place = |t: &str| {
                let before = &t[..t.find(mark).unwrap()];
                (
                    before.lines().count(),
                    before.len() - before.rfind('\n').map_or(0, |n| n + 1),
                )
            };
            assert_eq!(place(given), place(&made), "{mark}");
        }
        assert_eq!(given.lines().count(), made.lines().count());
    }

    /// Any text made of such parts: joining it, once, keeps everything but white space, and nothing fails.
    #[test]
    fn only_white_space_moves() {
        // Most of them brackets, so that a few in a hundred texts have something to join.
        let mut parts = ["<< <", ">> >", "<<", "<", "<<<", ">>", ">", ">>>", " "].repeat(3);
        parts.extend([
            "\n", "k", "(", ")", ";", "operator", "\"", "'", "//", "/*", "*/", "\\\n", "#", "R\"(",
            ")\"", "A<", "é",
        ]);
        let mut seed = 1_u64;
        let mut joins = 0;
        for _ in 0..20_000 {
            let mut given = String::new();
            for _ in 0..14 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                given += parts[usize::try_from(seed >> 33).unwrap() % parts.len()];
            }
            let Some(made) = joined(given.as_bytes()) else {
                continue;
            };
            joins += 1;
            assert_eq!(joined(&made), None, "{given}");
            let made = String::from_utf8(made).unwrap();
            let sorted = |t: &str| {
                let mut all: Vec<char> = t.chars().filter(|c| *c != ' ').collect();
                all.sort_unstable();
                all
            };
            assert_eq!(sorted(&given), sorted(&made), "{given}");
            assert_eq!(given.lines().count(), made.lines().count(), "{given}");
        }
        assert!(joins > 1000, "{joins}");
    }
}
