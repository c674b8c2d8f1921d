//! Precedence, spelling and messages of the knobs.

use super::*;

fn with(pass: &str, flags: &[(&str, &str)], env: &[(&str, &str)]) -> Result<Options, String> {
    let given = |k: &Knob| {
        let flag = flags.iter().find(|(n, _)| *n == k.name.parameter);
        flag.map(|(_, v)| v.to_string())
    };
    let flags: Vec<Option<String>> = KNOBS.iter().map(given).collect();
    combine(
        pass,
        &flags,
        env.iter()
            .map(|(n, v)| (n.to_string(), v.to_string()))
            .collect(),
    )
}

#[test]
fn nothing_given_is_the_default() {
    assert_eq!(
        with("mesi", &[], &[("PATH", "/bin"), ("MESI_BLESS", "1")]),
        Ok(Options::default())
    );
}

#[test]
fn parameter_beats_flag_beats_environment() {
    let env = [
        ("MESI_STRIP", "1"),
        ("MESI_FUEL", "1"),
        ("MESI_SHARED", "1"),
    ];
    let o = with("mesi<strip=3>", &[("strip", "2"), ("fuel", "2")], &env).unwrap();
    assert_eq!((o.strip, o.fuel, o.shared), (Some(3), Some(2), Some(1)));
}

#[test]
fn overlap_and_width_are_on_until_turned_off() {
    let o = with(
        "mesi<depth=3;width=off>",
        &[],
        &[("MESI_OVERLAP", "off"), ("MESI_DEPTH", "2")],
    )
    .unwrap();
    assert_eq!((o.depth, o.overlap, o.width), (Some(3), false, false));
    assert!(Options::default().overlap && Options::default().width);
}

#[test]
fn a_switch_can_be_turned_off_again() {
    assert!(with("mesi", &[("force", "")], &[]).unwrap().force);
    assert!(
        !with("mesi<force=off>", &[("force", "")], &[])
            .unwrap()
            .force
    );
}

#[test]
fn print_passes_take_parameters_after_their_subject() {
    let o = with("print<mesi-plan;force;block=16x8>", &[], &[]).unwrap();
    assert_eq!((o.force, o.block), (true, Some([16, 8, 1])));
}

#[test]
fn unknown_names_list_the_valid_ones() {
    let e = with("mesi<forse>", &[], &[]).unwrap_err();
    assert!(
        e.starts_with("unknown parameter 'forse'; valid are: disable, force, only"),
        "{e}"
    );
    let e = with("mesi", &[], &[("MESI_FORSE", "1")]).unwrap_err();
    assert!(
        e.contains("MESI_FORSE; valid are: MESI_DISABLE, MESI_FORCE"),
        "{e}"
    );
}

#[test]
fn wrong_values_say_what_is_right() {
    for (parameter, expected) in [
        ("force=maybe", "on or off"),
        ("fuel=-1", "from 0 to 4294967295"),
        ("strip=0", "from 1 to 4096"),
        ("depth=5", "from 1 to 4"),
        ("depth=0", "from 1 to 4"),
        ("overlap=2", "on or off"),
        ("width=16", "on or off"),
        ("shared=49153", "from 0 to 49152"),
        ("only", "a name"),
        ("block=16x16x16", "1024 threads"),
        ("block=1x1x65", "z up to 64"),
        ("block=0", "16x16x1"),
        ("block=1x1x1x1", "16x16x1"),
    ] {
        let e = with(&format!("mesi<{parameter}>"), &[], &[]).unwrap_err();
        assert!(e.contains(parameter) && e.contains(expected), "{e}");
    }
}

#[test]
fn block_shapes_with_either_separator() {
    assert_eq!(block_shape("16,16,1"), Ok([16, 16, 1]));
    assert_eq!(block_shape("32x32"), Ok([32, 32, 1]));
    assert_eq!(block_shape("256"), Ok([256, 1, 1]));
}

#[test]
fn names_agree_with_one_another() {
    for k in KNOBS {
        let n = &k.name;
        let large = n.parameter.to_uppercase().replace('-', "_");
        assert_eq!(n.variable, format!("MESI_{large}"));
        let help = k.help;
        assert!(
            help.contains("(default") || help.contains("; default"),
            "{help}"
        );
    }
}
