fn main() {
    let mut a = std::env::args().skip(1);
    let seed = a.next().unwrap().parse().unwrap();
    let count = a.next().unwrap().parse().unwrap();
    let dir = a.next().unwrap();
    for k in mesi_unseen::draw(seed, count).unwrap() {
        std::fs::write(format!("{dir}/{}.cu", k.name), &k.text).unwrap();
    }
}
