//! What a bundle holds: `manifest.json`, written by `cargo xtask bench`, read by the runner.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

/// Raised when an old runner could misread a new bundle.
pub const FORMAT: u32 = 3;
/// The manifest's name in a bundle.
pub const FILE: &str = "manifest.json";
/// The variant that every other one is held against.
pub const REFERENCE: &str = "clang";
/// The variant under test.
pub const SUBJECT: &str = "mesi";

/// A bundle.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: u32,
    /// Architecture of the cubins, as `sm_90`.
    pub arch: String,
    /// What made it.
    pub versions: Versions,
    /// The bench's own kernels.
    pub support: Image,
    /// Corpus kernels in name order.
    pub kernels: Vec<Entry>,
}

/// Versions of everything that shaped the code.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Versions {
    /// Commit of mesi; ends in `+` where files were changed since.
    pub commit: String,
    /// First line of `clang++ --version`.
    pub clang: String,
    /// Release of ptxas.
    pub ptxas: String,
    /// Release of nvcc, or why there is none.
    pub nvcc: String,
}

/// A corpus kernel.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry {
    /// File name without extension.
    pub name: String,
    /// The corpus file, from the bundle's root.
    pub header: String,
    /// Distinct compilations; variants of the same PTX text share one.
    pub images: Vec<Image>,
    /// In the order of the table's columns.
    pub variants: Vec<Variant>,
}

/// One compilation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// The cubin, from the bundle's root.
    pub cubin: String,
    /// The PTX it was made from, for chips that cannot run the cubin.
    pub ptx: String,
    /// Bytes of machine code in the cubin, less `versions`.
    #[serde(default)]
    pub code: u64,
    /// Bytes of machine code of each version that the plug-in keeps beside the kernel, by number.
    #[serde(default)]
    pub versions: Vec<u64>,
    /// What tells the host which versions a launch may take; `None` where there are none.
    #[serde(default)]
    pub gates: Option<Gates>,
}

/// The gates of an image's kernels, compiled for the machine that the runner is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gates {
    /// The shared object with a function `KERNEL$gate` for each, from the bundle's root.
    pub library: String,
    /// Symbols of the kernels.
    pub kernels: Vec<String>,
    /// Blocks along x that each is launched in at most, if not 0.
    #[serde(default)]
    pub blocks: Vec<u32>,
    /// Parts that each has of a launch's dynamic shared memory, if not 0.
    #[serde(default)]
    pub parts: Vec<u32>,
    /// Bytes that each has of it for each thread, if not 0.
    #[serde(default)]
    pub per_thread: Vec<u32>,
    /// Blocks that each of its own does the work of, as a record has them.
    #[serde(default)]
    pub merged: Vec<u32>,
}

impl Gates {
    /// Parts that `kernel` has of a launch's dynamic shared memory, and bytes for each thread; 0: what the launch has.
    pub fn dynamic(&self, kernel: &str) -> [u32; 2] {
        let place = self.kernels.iter().position(|k| k == kernel);
        [&self.parts, &self.per_thread].map(|all| {
            let number = place.and_then(|i| all.get(i)).copied();
            number.unwrap_or(0)
        })
    }

    /// How the grid is made that `kernel` is launched in.
    pub fn grid(&self, kernel: &str) -> Grid {
        let place = self.kernels.iter().position(|k| k == kernel);
        let of = |all: &[u32]| place.and_then(|i| all.get(i)).copied().unwrap_or(0);
        Grid {
            most: of(&self.blocks),
            merged: of(&self.merged),
        }
    }
}

/// How the grid of a version is made of the one that its kernel has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Grid {
    /// Blocks along x at most, if not 0.
    most: u32,
    /// Blocks that each of its own does the work of, as a record has them.
    merged: u32,
}

impl Grid {
    /// The grid in place of the kernel's.
    pub fn of(self, grid: [u32; 3]) -> [u32; 3] {
        let [x, y, z] = mesi_launch::Gate::groups(self.merged, grid);
        match self.most {
            0 => [x, y, z],
            most => [x.min(most), y, z],
        }
    }
}

/// A way to compile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// `clang`, `mesi`, `force`, `overlap=off`, `nvcc`, `hand`, ...
    pub name: String,
    /// Index into `images`; `None` where there is none.
    pub image: Option<usize>,
    /// Why there is none.
    pub skipped: Option<String>,
    /// What the plug-in planned, in a few words.
    pub plan: String,
    /// The gain over `clang` that the plug-in's model predicted, by the row's sizes and block shape.
    #[serde(default)]
    pub predictions: BTreeMap<String, f64>,
    /// Whether outputs must equal `clang`'s bit for bit; else by relative error.
    pub exact: bool,
}

impl Manifest {
    /// Reads the manifest of the bundle at `root`.
    pub fn read(root: &Path) -> Result<Manifest> {
        let path = root.join(FILE);
        let text = std::fs::read_to_string(&path).with_context(|| {
            format!(
                "{} cannot be read: build a bundle by cargo xtask bench --bundle DIR",
                path.display()
            )
        })?;
        let manifest: Manifest = serde_json::from_str(&text)
            .with_context(|| format!("{} is no manifest", path.display()))?;
        if manifest.format != FORMAT {
            bail!(
                "{} has format {}, this runner reads {FORMAT}: build the bundle again",
                path.display(),
                manifest.format
            );
        }
        Ok(manifest)
    }

    /// Writes it to the bundle at `root`.
    pub fn write(&self, root: &Path) -> Result<()> {
        let path = root.join(FILE);
        let text = serde_json::to_string_pretty(self).context("the manifest is no JSON")?;
        std::fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))
    }
}

impl Entry {
    /// Adds a variant whose compilation is `image`, sharing an equal one.
    pub fn add(&mut self, variant: Variant, image: Option<Image>) {
        let index = image.map(|image| match self.images.iter().position(|i| *i == image) {
            Some(at) => at,
            None => {
                self.images.push(image);
                self.images.len() - 1
            }
        });
        self.variants.push(Variant {
            image: index,
            ..variant
        });
    }
}

/// The figure after `predicted`, as in `predicted x1.23`, in what the plug-in printed.
pub fn predicted(text: &str) -> Option<f64> {
    let after = text.split_once("predicted")?.1;
    let after = after.trim_start_matches([' ', ':', '=', 'x']);
    let end = after
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(after.len());
    after[..end]
        .trim_end_matches('.')
        .parse()
        .ok()
        .filter(|v| *v > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(name: &str) -> Variant {
        Variant {
            name: name.into(),
            image: None,
            skipped: None,
            plan: String::new(),
            predictions: BTreeMap::new(),
            exact: true,
        }
    }

    fn image(name: &str) -> Option<Image> {
        Some(Image {
            cubin: format!("{name}.cubin"),
            ptx: format!("{name}.ptx"),
            ..Image::default()
        })
    }

    #[test]
    fn equal_images_are_shared() {
        let mut entry = Entry {
            name: "mm".into(),
            header: "corpus/mm.cu".into(),
            images: Vec::new(),
            variants: Vec::new(),
        };
        entry.add(variant("clang"), image("a"));
        entry.add(variant("mesi"), image("b"));
        entry.add(variant("force"), image("b"));
        entry.add(variant("hand"), None);
        let indices: Vec<_> = entry.variants.iter().map(|v| v.image).collect();
        assert_eq!(indices, [Some(0), Some(1), Some(1), None]);
        assert_eq!(entry.images.len(), 2);
    }

    #[test]
    fn predictions_are_read() {
        assert_eq!(predicted("plan of mm\n  predicted x1.23\n"), Some(1.23));
        assert_eq!(predicted("shared: 8 bytes, predicted: 7."), Some(7.0));
        assert_eq!(predicted("predicted x0"), None);
        assert_eq!(predicted("no figure"), None);
    }

    #[test]
    fn gates_are_kept_with_their_image() {
        let gates = Gates {
            library: "code/a.so".into(),
            kernels: vec!["_Z1kPf".into()],
            blocks: vec![0],
            parts: vec![0],
            per_thread: vec![0],
            merged: vec![0x0402],
        };
        assert_eq!(gates.grid("_Z1kPf").of([5, 9, 1]), [3, 3, 1]);
        assert_eq!(gates.grid("other").of([5, 9, 1]), [5, 9, 1]);
        let mut gated = image("a").unwrap();
        (gated.versions, gated.gates) = (vec![640], Some(gates));
        let dir = tempfile::tempdir().unwrap();
        let manifest = Manifest {
            format: FORMAT,
            arch: "sm_90".into(),
            versions: Versions::default(),
            support: image("s").unwrap(),
            kernels: vec![Entry {
                name: "k".into(),
                header: "corpus/k.cu".into(),
                images: vec![image("c").unwrap(), gated.clone()],
                variants: Vec::new(),
            }],
        };
        manifest.write(dir.path()).unwrap();
        let read = Manifest::read(dir.path()).unwrap();
        assert_eq!(read.kernels[0].images, [image("c").unwrap(), gated]);
    }

    #[test]
    fn another_format_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let manifest = Manifest {
            format: FORMAT + 1,
            arch: "sm_90".into(),
            versions: Versions::default(),
            support: image("s").unwrap(),
            kernels: Vec::new(),
        };
        manifest.write(dir.path()).unwrap();
        let error = Manifest::read(dir.path()).unwrap_err().to_string();
        assert!(error.contains("build the bundle again"), "{error}");
        let error = Manifest::read(&dir.path().join("none"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("cargo xtask bench --bundle"), "{error}");
    }
}
