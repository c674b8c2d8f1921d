//! x
#[test]
fn copies() {
    for r in mesi_mutate::copies::rows().unwrap_or_else(|e| panic!("{e}")) {
        println!("{} {:?}", r.0, r.2);
    }
}
