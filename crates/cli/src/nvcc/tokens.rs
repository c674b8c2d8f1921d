//! The tokens of CUDA C++, as far as brackets and launches need them.
//!
//! Comments are no tokens, and strings and character constants are one each, so what stands in them is never
//! taken for code.
//! Nothing is preprocessed: of a macro its definition is seen, and both sides of an `#if` are.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword, but for `operator`.
    Word,
    /// `operator`: what comes next is a part of its name.
    Operator,
    /// `<`, `<<` or `<<<`.
    Less,
    /// `>`, `>>` or more.
    Greater,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// `;`.
    Semicolon,
    /// Anything else.
    Other,
}

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// Behind its last byte.
    pub end: usize,
    /// The number of the preprocessor's line that it is in, from 1; 0 outside of such lines.
    pub directive: usize,
}

/// All tokens of a text.
pub fn read(text: &[u8]) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        at: 0,
        first: true,
        directive: 0,
        directives: 0,
    };
    let mut tokens = Vec::new();
    while lexer.at < text.len() {
        if lexer.skip() {
            continue;
        }
        let start = lexer.at;
        let kind = lexer.token();
        lexer.first = false;
        tokens.push(Token {
            kind,
            start,
            end: lexer.at,
            directive: lexer.directive,
        });
    }
    tokens
}

struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    /// Whether no token of this line was seen.
    first: bool,
    directive: usize,
    directives: usize,
}

impl Lexer<'_> {
    /// The byte so far ahead; 0 behind the end.
    fn byte(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &[u8] {
        &self.text[self.at.min(self.text.len())..]
    }

    /// The length of a line's end that a backslash takes back; 0: there is none here.
    fn continued(&self) -> usize {
        match (self.byte(0), self.byte(1), self.byte(2)) {
            (b'\\', b'\n', _) => 2,
            (b'\\', b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    /// Passes over one space, line's end or comment.
    fn skip(&mut self) -> bool {
        match (self.byte(0), self.byte(1)) {
            (b'\n', _) => {
                self.first = true;
                self.directive = 0;
                self.at += 1;
            }
            (b'\\', _) if self.continued() > 0 => self.at += self.continued(),
            (b'/', b'/') => {
                while self.at < self.text.len() && self.byte(0) != b'\n' {
                    self.at += self.continued().max(1);
                }
            }
            (b'/', b'*') => {
                self.at += 2;
                self.behind(b"*/");
            }
            (space, _) if space.is_ascii_whitespace() => self.at += 1,
            _ => return false,
        }
        true
    }

    /// Goes behind the next place of these bytes.
    fn behind(&mut self, end: &[u8]) {
        let found = self.rest().windows(end.len()).position(|w| w == end);
        self.at = found.map_or(self.text.len(), |f| self.at + f + end.len());
    }

    fn token(&mut self) -> Kind {
        let byte = self.byte(0);
        match byte {
            b'#' if self.first => {
                self.directives += 1;
                self.directive = self.directives;
                self.one(Kind::Other)
            }
            b'"' | b'\'' => self.literal(byte),
            b'<' | b'>' => self.angles(byte),
            b'(' | b'[' | b'{' => self.one(Kind::Open),
            b')' | b']' | b'}' => self.one(Kind::Close),
            b';' => self.one(Kind::Semicolon),
            b'-' if self.byte(1) == b'>' => {
                self.at += 2;
                Kind::Other
            }
            b'.' if self.byte(1).is_ascii_digit() => self.number(),
            _ if byte.is_ascii_digit() => self.number(),
            _ if in_word(byte) => self.word(),
            _ => self.one(Kind::Other),
        }
    }

    fn one(&mut self, kind: Kind) -> Kind {
        self.at += 1;
        kind
    }

    /// A string or a character constant. One without an end, such as the apostrophe in a text behind
    /// `#error`, ends with its line.
    fn literal(&mut self, quote: u8) -> Kind {
        self.at += 1;
        while self.at < self.text.len() {
            match self.byte(0) {
                b'\n' => break,
                b'\\' => self.at += self.continued().max(2),
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.at = self.at.min(self.text.len());
        Kind::Other
    }

    /// As many as there are; with `=` behind them it is another operator.
    fn angles(&mut self, byte: u8) -> Kind {
        let run = self.rest().iter().take_while(|b| **b == byte).count();
        self.at += run;
        if self.byte(0) == b'=' {
            // `<=>` is one.
            self.at += 1 + usize::from(byte == b'<' && self.byte(1) == b'>');
            return Kind::Other;
        }
        match byte {
            b'<' if run > 3 => Kind::Other,
            b'<' => Kind::Less,
            _ => Kind::Greater,
        }
    }

    /// A number, with the apostrophes that group its digits.
    fn number(&mut self) -> Kind {
        while in_word(self.byte(0))
            || self.byte(0) == b'.'
            || (self.byte(0) == b'\'' && self.byte(1).is_ascii_alphanumeric())
        {
            self.at += 1;
        }
        Kind::Other
    }

    fn word(&mut self) -> Kind {
        let length = self.rest().iter().take_while(|b| in_word(**b)).count();
        let word = &self.text[self.at..self.at + length];
        self.at += length;
        match word {
            b"operator" => Kind::Operator,
            b"R" | b"LR" | b"uR" | b"UR" | b"u8R" if self.byte(0) == b'"' => self.raw(),
            _ => Kind::Word,
        }
    }

    /// `"name( ... )name"`.
    fn raw(&mut self) -> Kind {
        self.at += 1;
        let name = self.rest().iter().take_while(|b| **b != b'(').count();
        let mut end = vec![b')'];
        end.extend_from_slice(&self.rest()[..name]);
        end.push(b'"');
        self.behind(&end);
        Kind::Other
    }
}

/// Letters of other alphabets are of names, too.
fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each token's text, those of the preprocessor's lines with their number.
    fn tokens(text: &str) -> Vec<String> {
        let shown = |t: Token| match t.directive {
            0 => text[t.start..t.end].to_string(),
            n => format!("{n}:{}", &text[t.start..t.end]),
        };
        read(text.as_bytes()).into_iter().map(shown).collect()
    }

    #[test]
    fn comments_and_white_space_are_no_tokens() {
        assert_eq!(
            tokens("a /* < */ b // < \\\n < \n/*\n*/ c\\\n d"),
            ["a", "b", "c", "d"]
        );
        assert_eq!(tokens("a /* open"), ["a"]);
        assert_eq!(tokens("a // open"), ["a"]);
    }

    #[test]
    fn literals_are_one_token_each() {
        assert_eq!(
            tokens(r#"f("<\"<", '"', '\'', L"a");"#),
            [
                "f",
                "(",
                r#""<\"<""#,
                ",",
                r#"'"'"#,
                ",",
                r"'\''",
                ",",
                "L",
                r#""a""#,
                ")",
                ";"
            ]
        );
        assert_eq!(
            tokens("R\"x(a)\" \n)x\" u8R\"()\" + R"),
            ["R\"x(a)\" \n)x\"", "u8R\"()\"", "+", "R"]
        );
        assert_eq!(tokens("1'000'000 + .5e3f"), ["1'000'000", "+", ".5e3f"]);
        assert_eq!(tokens("don't\nb \"x\ny"), ["don", "'t", "b", "\"x", "y"]);
        // What ends too soon ends the text.
        for text in ["\"", "'", "R\"", "R\"x(", "\"\\", "'\\", "#", "\\", "/"] {
            read(text.as_bytes());
        }
    }

    #[test]
    fn angles_are_taken_as_many_as_there_are() {
        assert_eq!(
            tokens("a<<<b>>>c<<d>>=e<=f<=>g->h>=i>>>>j<<<<k"),
            [
                "a", "<<<", "b", ">>>", "c", "<<", "d", ">>=", "e", "<=", "f", "<=>", "g", "->",
                "h", ">=", "i", ">>>>", "j", "<<<<", "k"
            ]
        );
        let kinds: Vec<Kind> = read(b"operator<<<< <= >").iter().map(|t| t.kind).collect();
        assert_eq!(
            kinds,
            [Kind::Operator, Kind::Other, Kind::Other, Kind::Greater]
        );
    }

    #[test]
    fn lines_of_the_preprocessor_are_told_apart() {
        assert_eq!(
            tokens("a # b\n# define X \\\n y /*\n*/ z\nc\n #if\nd"),
            [
                "a", "#", "b", "1:#", "1:define", "1:X", "1:y", "1:z", "c", "2:#", "2:if", "d"
            ]
        );
    }
}
