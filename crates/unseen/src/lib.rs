//! Kernels that nobody tuned on: drawn from a grammar by a seed, at sizes worth timing.
//!
//! `draw` gives corpus files, the same for the same seed; `program` makes CUDA programs of many of them that
//! time each in several builds, or of corpus files; `pieces` runs those, `judge` reads what they print. `docs/unseen.md` has the grammar.

mod draft;
mod families;
pub mod judge;
pub mod pieces;
mod print;
pub mod program;
mod random;
mod size;
mod style;

use mesi_launch::Corpus;

use draft::Draft;
use random::Random;
use style::Style;

/// A drawn kernel.
pub struct Kernel {
    /// Its name, which is also its file's.
    pub name: String,
    /// The corpus file.
    pub text: String,
    /// The header, read.
    pub corpus: Corpus,
    pub(crate) draft: Draft,
}

/// The first `count` kernels of a seed. More of them begin with the same ones.
pub fn draw(seed: u64, count: usize) -> anyhow::Result<Vec<Kernel>> {
    (0..count).map(|index| one(seed, index)).collect()
}

fn one(seed: u64, index: usize) -> anyhow::Result<Kernel> {
    let mut random = Random::of(seed, index as u64);
    let (family, make) = random.weighted(families::ALL);
    let mut draft = Draft::new(format!("{family}_{index}"));
    let style = Style::draw(&mut random, &mut draft);
    make(&mut random, &mut draft, style);
    let wrong = |e: String| anyhow::anyhow!("kernel {index} of seed {seed}: {e}");
    let launches = size::launches(&mut random, &draft).map_err(wrong)?;
    let text = print::file(&draft, &launches);
    let path = format!("{}.cu", draft.name);
    let corpus = Corpus::parse(&path, &text).map_err(|e| wrong(e.to_string()))?;
    Ok(Kernel {
        name: draft.name.clone(),
        text,
        corpus,
        draft,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_files_and_another_does_not() {
        let texts = |seed, n| {
            draw(seed, n)
                .unwrap()
                .into_iter()
                .map(|k| k.text)
                .collect::<Vec<_>>()
        };
        let all = texts(7, 300);
        assert_eq!(all[..40], texts(7, 40));
        assert_ne!(all[..40], texts(8, 40));
    }

    #[test]
    fn every_family_is_drawn_and_every_kernel_has_two_launches() {
        let kernels = draw(3, 400).unwrap();
        for (_, (name, _)) in families::ALL {
            assert!(
                kernels
                    .iter()
                    .any(|k| k.name.starts_with(&format!("{name}_"))),
                "{name}"
            );
        }
        for kernel in &kernels {
            assert_eq!(program::rows(kernel).len(), 2, "{}", kernel.text);
        }
    }
}
