//! The watched worker, with shells in its place.

use super::*;
use crate::manifest::{Entry, FORMAT, Image, Manifest, Variant, Versions};
use crate::tasks::Chooser;

const HEADER: &str = "// ```toml\n// kernel = \"k\"\n// arg = [{ name = \"x\", type = \"f32\", count = \"n\" }]\n// [sizes]\n// n = { small = [1, 2, 3], large = 4 }\n// [launch]\n// blocks = [[1,1,1]]\n// grid = [1, 1, 1]\n// ```\n";

/// A bundle of one kernel with three small cases.
fn bundle() -> Bundle {
    let image = Image {
        cubin: "a".into(),
        ptx: "b".into(),
        ..Image::default()
    };
    let variant = |name: &str| Variant {
        name: name.into(),
        image: Some(0),
        skipped: None,
        plan: String::new(),
        predictions: Default::default(),
        exact: true,
    };
    Bundle {
        root: PathBuf::from("."),
        manifest: Manifest {
            format: FORMAT,
            arch: "sm_90".into(),
            versions: Versions::default(),
            support: image.clone(),
            kernels: vec![Entry {
                name: "k".into(),
                header: "k.cu".into(),
                images: vec![image],
                variants: vec![variant("clang"), variant("mesi")],
            }],
        },
        corpus: vec![mesi_launch::Corpus::parse("k.cu", HEADER).unwrap()],
    }
}

fn line(message: &Message) -> String {
    format!("echo '{}'", serde_json::to_string(message).unwrap())
}

fn ready() -> String {
    let chip = Chip {
        name: "a GPU".into(),
        ..Chip::default()
    };
    line(&Message::Ready(
        Box::new(chip),
        Limits::default(),
        "none".into(),
    ))
}

/// Runs three rows in shells: `script` gets each child's order.
fn supervised(script: &dyn Fn(&Order) -> Vec<String>) -> std::result::Result<Outcome, Cannot> {
    let bundle = bundle();
    let choice = Choice {
        small: true,
        ..Choice::default()
    };
    let tasks = bundle.tasks(&choice).unwrap();
    assert_eq!(tasks.len(), 3);
    let command = |order: &Order| {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(script(order).join("\n"));
        shell
    };
    let patience = Duration::from_millis(500);
    supervise(&tasks, &Order::default(), patience, &command, &mut |_| {}).unwrap()
}

fn done(i: usize) -> String {
    line(&Message::Done(i, Box::default()))
}

fn at(i: usize, variant: &str) -> String {
    line(&Message::At(i, variant.into()))
}

#[test]
fn a_variant_that_costs_the_gpu_is_left_out_the_second_time() {
    let outcome = supervised(&|order| {
        let mut lines = vec![ready()];
        if order.excluded.is_empty() && order.first <= 1 {
            lines.extend([
                done(0),
                at(1, "mesi"),
                line(&Message::Lost(1, "mesi".into(), "fault".into())),
            ]);
        } else {
            assert_eq!((order.first, order.excluded[0].1.as_str()), (1, "fault"));
            lines.extend([done(1), "echo some tool says hello".into(), done(2)]);
        }
        lines
    })
    .unwrap();
    assert_eq!(outcome.rows.len(), 3);
    assert!(outcome.rows.values().all(|r| r.problem.is_none()));
    assert_eq!(outcome.chip.name, "a GPU");
}

#[test]
fn a_reference_that_dies_costs_its_row_only() {
    let outcome = supervised(&|order| match order.first {
        0 => vec![ready(), done(0), at(1, "clang"), "exit 9".into()],
        first => vec![ready(), done(first)],
    })
    .unwrap();
    let problem = outcome.rows[&1].problem.as_deref().unwrap();
    assert!(problem.starts_with("clang: the process ended"), "{problem}");
    assert!(outcome.rows[&0].problem.is_none() && outcome.rows[&2].problem.is_none());
}

#[test]
fn a_child_that_hangs_is_ended() {
    let outcome = supervised(&|order| match order.first {
        0 => vec![ready(), at(0, "clang"), "exec sleep 60".into()],
        first => vec![ready(), done(first)],
    })
    .unwrap();
    let problem = outcome.rows[&0].problem.as_deref().unwrap();
    assert_eq!(problem, "clang: it did not end within 0 s");
    assert_eq!(outcome.rows.len(), 3);
}

#[test]
fn what_cannot_run_at_all_says_so_once() {
    let none = supervised(&|_| vec![line(&Message::Cannot(code::NO_GPU, "no driver".into()))]);
    let Cannot(code, why) = none.err().unwrap();
    assert_eq!((code, why.as_str()), (code::NO_GPU, "no driver"));
}

#[test]
fn rows_may_take_several_times_their_part() {
    assert_eq!(effort(false, 100.0, 50).until, Duration::from_secs(6));
    assert_eq!(effort(true, -5.0, 0).until, Duration::ZERO);
}

#[test]
fn a_child_is_told_who_chooses() {
    let told = |chooser| {
        let choice = Choice {
            chooser,
            ..Choice::default()
        };
        let path = Path::new("b");
        let command = command(path, path, &choice, &Order::default());
        let arguments = command.get_args();
        let told = arguments.filter_map(|a| a.to_str()?.strip_prefix("--choice="));
        told.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(told(Chooser::Settled), ["settled"]);
    assert_eq!(told(Chooser::Original), ["original"]);
    assert_eq!(told(Chooser::V3), ["v3"]);
}
