//! Integer expressions over named sizes: `(n + bx - 1) / bx`, `min(n, 64) * 4`.
//!
//! Evaluated in checked 64-bit arithmetic, `/` and `%` truncating as in C. An expression is parsed
//! once, when the header is read, so a misspelt name is an error of the file and not of one launch.

use std::collections::BTreeMap;

/// Values of the names an expression may use.
pub type Scope = BTreeMap<String, i64>;

/// A parsed integer expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// A literal.
    Int(i64),
    /// A size, or one of `bx`, `by`, `bz`.
    Name(String),
    /// Two operands and one of `+ - * / %`, `<` for min, `>` for max.
    Binary(char, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// Parses `text`; the error says what was found and what is allowed.
    pub fn parse(text: &str) -> Result<Expr, String> {
        let mut parser = Parser { text, at: 0 };
        let expr = parser.sum()?;
        match parser.peek() {
            None => Ok(expr),
            Some(c) => Err(parser.expected(c, "an operator (+ - * / %) or the end")),
        }
    }

    /// Names used, so that a header can be checked without evaluating it.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Expr::Int(_) => Vec::new(),
            Expr::Name(n) => vec![n],
            Expr::Binary(_, a, b) => a.names().into_iter().chain(b.names()).collect(),
        }
    }

    /// Value under `scope`, or why there is none.
    pub fn eval(&self, scope: &Scope) -> Result<i64, String> {
        match self {
            Expr::Int(v) => Ok(*v),
            Expr::Name(n) => scope.get(n).copied().ok_or_else(|| {
                let known: Vec<_> = scope.keys().map(String::as_str).collect();
                format!("unknown name `{n}`, known are {}", known.join(", "))
            }),
            Expr::Binary(op, a, b) => {
                let (a, b) = (a.eval(scope)?, b.eval(scope)?);
                let value = match op {
                    '+' => a.checked_add(b),
                    '-' => a.checked_sub(b),
                    '*' => a.checked_mul(b),
                    '/' | '%' if b == 0 => return Err("division by zero".into()),
                    '/' => a.checked_div(b),
                    '%' => a.checked_rem(b),
                    '<' => Some(a.min(b)),
                    _ => Some(a.max(b)),
                };
                value.ok_or_else(|| "the value does not fit 64 bits".into())
            }
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn expected(&self, found: char, allowed: &str) -> String {
        format!(
            "`{found}` at column {} of expression \"{}\", expected {allowed}",
            self.at + 1,
            self.text
        )
    }

    fn eat(&mut self, wanted: char) -> Result<(), String> {
        match self.peek() {
            Some(c) if c == wanted => {
                self.at += 1;
                Ok(())
            }
            Some(c) => Err(self.expected(c, &format!("`{wanted}`"))),
            None => Err(format!(
                "\"{}\" ends where `{wanted}` is expected",
                self.text
            )),
        }
    }

    fn sum(&mut self) -> Result<Expr, String> {
        let mut left = self.product()?;
        while let Some(op @ ('+' | '-')) = self.peek() {
            self.at += 1;
            left = Expr::Binary(op, Box::new(left), Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Expr, String> {
        let mut left = self.atom()?;
        while let Some(op @ ('*' | '/' | '%')) = self.peek() {
            self.at += 1;
            left = Expr::Binary(op, Box::new(left), Box::new(self.atom()?));
        }
        Ok(left)
    }

    fn atom(&mut self) -> Result<Expr, String> {
        const ALLOWED: &str = "a number, a name, `(`, `-`, min or max";
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.sum()?;
                self.eat(')')?;
                Ok(inner)
            }
            Some('-') => {
                self.at += 1;
                Ok(Expr::Binary(
                    '-',
                    Box::new(Expr::Int(0)),
                    Box::new(self.atom()?),
                ))
            }
            Some(c) if c.is_ascii_digit() => {
                let digits = self.take(|c| c.is_ascii_digit());
                let value = digits
                    .parse()
                    .map_err(|_| format!("{digits} does not fit 64 bits"))?;
                Ok(Expr::Int(value))
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let name = self
                    .take(|c| c.is_ascii_alphanumeric() || c == '_')
                    .to_string();
                match name.as_str() {
                    "min" => self.call('<'),
                    "max" => self.call('>'),
                    _ => Ok(Expr::Name(name)),
                }
            }
            Some(c) => Err(self.expected(c, ALLOWED)),
            None => Err(format!(
                "expression \"{}\" ends where {ALLOWED} is expected",
                self.text
            )),
        }
    }

    fn call(&mut self, op: char) -> Result<Expr, String> {
        self.eat('(')?;
        let a = self.sum()?;
        self.eat(',')?;
        let b = self.sum()?;
        self.eat(')')?;
        Ok(Expr::Binary(op, Box::new(a), Box::new(b)))
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &str {
        let from = self.at;
        let rest = &self.text[from..];
        self.at += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        &self.text[from..self.at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<i64, String> {
        let scope = Scope::from([("n".into(), 1000), ("bx".into(), 256)]);
        Expr::parse(text)?.eval(&scope)
    }

    #[test]
    fn precedence_and_calls() {
        assert_eq!(value("(n + bx - 1) / bx"), Ok(4));
        assert_eq!(value("2+3*4-10/3%2"), Ok(13));
        assert_eq!(value("min(n, 3) * -max(2, bx)"), Ok(-768));
        assert_eq!(value("10 - 4 - 3"), Ok(3));
    }

    #[test]
    fn errors_say_what_is_allowed() {
        assert!(value("n +").unwrap_err().contains("a number, a name"));
        assert!(
            value("m")
                .unwrap_err()
                .contains("unknown name `m`, known are bx, n")
        );
        assert!(
            value("n / (bx - 256)")
                .unwrap_err()
                .contains("division by zero")
        );
        assert!(value("n n").unwrap_err().contains("expected an operator"));
        assert!(value("(n").unwrap_err().contains("`)` is expected"));
        assert!(
            value("9223372036854775807 + 1")
                .unwrap_err()
                .contains("64 bits")
        );
    }
}
