//! Writes the kernels of a seed as files; with `--judge`, runs a bundle's programs.
fn main() {
    let mut a = std::env::args().skip(1);
    let (seed, n, dir) = (a.next().unwrap().parse().unwrap(), a.next().unwrap().parse().unwrap(), a.next().unwrap());
    for k in mesi_unseen::draw(seed, n).unwrap() {
        std::fs::write(format!("{dir}/{}.cu", k.name), k.text).unwrap();
    }
}
