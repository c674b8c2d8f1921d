//! A finished draft as a corpus file: the header in TOML, then the kernel in CUDA C++.

use std::fmt::Write as _;

use mesi_launch::ElemType;

use crate::draft::{Array, Constants, Draft, Param, cpp, indent};
use crate::size::Launch;

/// The kernel's source without the header; constants that are macros stay defined.
pub fn source(draft: &Draft) -> String {
    let mut out = String::new();
    for (name, value) in &draft.constants {
        let _ = match draft.constants_as {
            Constants::Macro => writeln!(out, "#define {name} {value}"),
            Constants::Constexpr => writeln!(out, "constexpr int {name} = {value};"),
            Constants::Template => Ok(()),
        };
    }
    for (constant, array) in &draft.globals {
        let space = if *constant {
            "__constant__"
        } else {
            "__device__"
        };
        let _ = writeln!(
            out,
            "{space} {} {}[{}];",
            array.cpp, array.name, array.count
        );
    }
    if !draft.before.is_empty() {
        let _ = writeln!(out, "{}\n", draft.before.trim());
    } else if !out.is_empty() {
        out.push('\n');
    }
    let template = is_template(draft);
    if template {
        let names = draft.constants.iter().map(|(n, _)| format!("int {n}"));
        let _ = writeln!(out, "template <{}>", names.collect::<Vec<_>>().join(", "));
    }
    let bounds = match (
        draft.bounds,
        draft.blocks.iter().map(|b| b.iter().product::<u32>()).max(),
    ) {
        (true, Some(threads)) => format!(" __launch_bounds__({threads})"),
        _ => String::new(),
    };
    let params: Vec<String> = draft.params.iter().map(|p| param(draft, p)).collect();
    let params = wrapped(&params);
    let _ = writeln!(
        out,
        "__global__ void{bounds} {}({params})\n{{\n{}\n}}",
        draft.name,
        indent(draft.body.trim_end(), 4)
    );
    if template {
        let types: Vec<String> = draft.params.iter().map(|p| param_type(draft, p)).collect();
        let _ = writeln!(
            out,
            "template __global__ void {}({});",
            called(draft),
            types.join(", ")
        );
    }
    out
}

fn is_template(draft: &Draft) -> bool {
    draft.constants_as == Constants::Template && !draft.constants.is_empty()
}

/// What a launch calls: the name, with arguments where it is a template.
pub fn called(draft: &Draft) -> String {
    if !is_template(draft) {
        return draft.name.clone();
    }
    let values: Vec<String> = draft.constants.iter().map(|(_, v)| v.to_string()).collect();
    format!("{}<{}>", draft.name, values.join(", "))
}

/// The C++ type of a parameter.
pub fn param_type(draft: &Draft, param: &Param) -> String {
    match param {
        Param::Array(array) => {
            let constant = if draft.constant && !array.written {
                "const "
            } else {
                ""
            };
            let restrict = if draft.restrict { "__restrict__" } else { "" };
            format!("{constant}{} *{restrict}", array.cpp)
        }
        Param::Scalar { ty, .. } => cpp(*ty).into(),
        Param::Struct { cpp, .. } => cpp.clone(),
    }
}

fn param(draft: &Draft, param: &Param) -> String {
    let (Param::Array(Array { name, .. })
    | Param::Scalar { name, .. }
    | Param::Struct { name, .. }) = param;
    let ty = param_type(draft, param);
    let gap = if ty.ends_with('*') { "" } else { " " };
    format!("{ty}{gap}{name}")
}

/// Parameters over several lines where one would be long.
fn wrapped(params: &[String]) -> String {
    let mut out = String::new();
    let mut length = 30;
    for (i, param) in params.iter().enumerate() {
        if i > 0 {
            out.push(',');
            length += param.len() + 2;
            if length > 100 {
                out.push_str("\n    ");
                length = 8 + param.len();
            } else {
                out.push(' ');
            }
        }
        out.push_str(param);
    }
    out
}

/// The whole file.
pub fn file(draft: &Draft, launches: &[Launch]) -> String {
    let mut toml = format!("kernel = \"{}\"\narg = [\n", draft.name);
    for param in &draft.params {
        let _ = writeln!(toml, "  {},", argument(param));
    }
    toml.push_str("]\n");
    if !draft.globals.is_empty() {
        toml.push_str("global = [\n");
        for (_, array) in &draft.globals {
            let _ = writeln!(toml, "  {},", array_text(array));
        }
        toml.push_str("]\n");
    }
    let large = &launches[0].sizes;
    toml.push_str("[sizes]\n");
    for (size, (_, large)) in draft.sizes.iter().zip(large) {
        let _ = writeln!(
            toml,
            "{} = {{ small = {:?}, large = {large} }}",
            size.name, size.small
        );
    }
    let _ = writeln!(toml, "[launch]\nblocks = {:?}", draft.blocks);
    let [x, y, z] = &draft.grid;
    let _ = writeln!(toml, "grid = [\"{x}\", \"{y}\", \"{z}\"]");
    if let Some(shared) = &draft.shared {
        let _ = writeln!(toml, "shared = \"{shared}\"");
    }
    let _ = writeln!(toml, "[bench]\nbytes = \"{}\"\nrows = [", draft.cost.bytes);
    for launch in launches {
        let at: Vec<String> = launch
            .sizes
            .iter()
            .map(|(n, v)| format!("{n} = {v}"))
            .collect();
        let _ = writeln!(
            toml,
            "  {{ class = \"large\", at = {{ {} }}, blocks = [{:?}] }},",
            at.join(", "),
            launch.block
        );
    }
    toml.push_str("]\n");
    let header: String = format!("{}\n```toml\n{toml}```", draft.title)
        .lines()
        .map(|l| format!("// {l}\n"))
        .collect();
    header + &source(draft)
}

fn array_text(array: &Array) -> String {
    let output = if array.written { ", output = true" } else { "" };
    format!(
        "{{ name = \"{}\", type = \"{}\", count = \"{}\", fill = \"{}\"{output} }}",
        array.name,
        array.ty.name(),
        array.count,
        array.fill
    )
}

fn argument(param: &Param) -> String {
    match param {
        Param::Array(array) => array_text(array),
        Param::Scalar { name, ty, value } => {
            let value = match value.parse::<f64>() {
                Ok(number) if ty.is_float() => format!("{number:?}"),
                Ok(_) => value.clone(),
                Err(_) => format!("\"{value}\""),
            };
            format!(
                "{{ name = \"{name}\", type = \"{}\", value = {value} }}",
                ty.name()
            )
        }
        Param::Struct { name, fields, .. } => {
            let fields: Vec<String> = fields.iter().map(argument).collect();
            format!("{{ name = \"{name}\", fields = [{}] }}", fields.join(", "))
        }
    }
}

/// Parameters as flat values with their C++ types, in the order in which a launch is told them.
pub fn values(params: &[Param]) -> Vec<(String, ElemType, bool)> {
    let mut out = Vec::new();
    for param in params {
        match param {
            Param::Array(a) => out.push((format!("{} *", a.cpp), a.ty, true)),
            Param::Scalar { ty, .. } => out.push((cpp(*ty).into(), *ty, false)),
            Param::Struct { fields, .. } => out.extend(values(fields)),
        }
    }
    out
}
