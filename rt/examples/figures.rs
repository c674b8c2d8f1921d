//! The simulated figures of docs/choice.md: `cargo run --release -p mesi-rt-tests --example figures`.

use mesi_rt_tests::{Program, Scenario, sweep};

fn programs(times: &[f64], noise: f64, seeds: u32, launches: u32) -> Vec<Program> {
    let seen = Scenario::new(&sweep(times, noise, seeds, launches, "")).run();
    seen.programs()
}

/// Launches until all is settled: the median, what 95 of 100 stay below, the most.
fn settled(programs: &[Program]) -> [i64; 3] {
    let mut all: Vec<i64> = programs.iter().map(|p| p.settled).collect();
    all.sort_unstable();
    [0.5, 0.95, 1.0].map(|share| all[((all.len() - 1) as f64 * share) as usize])
}

fn ends_with(programs: &[Program], candidate: i64) -> usize {
    programs.iter().filter(|p| p.last == candidate).count()
}

fn main() {
    for noise in [0.02, 0.05] {
        println!("noise {noise}");
        let faster = programs(&[100.0 / 1.15], noise, 1000, 700);
        println!("15 % faster, settled: {:?}", settled(&faster));
        let faster = programs(&[100.0 / 1.03], noise, 1000, 700);
        println!("3 % faster, settled: {:?}", settled(&faster));
        println!("3 % faster, found of 1,000: {}", ends_with(&faster, 1));
        let wrong = [103.0, 100.5, 100.0].map(|t| ends_with(&programs(&[t], noise, 5000, 600), 1));
        println!("3 % slower, 0.5 % slower, equal, taken of 5,000: {wrong:?}");
        let slow = programs(&[150.0], noise, 5000, 700);
        let dropped = slow.iter().filter(|p| p.launches[1] == 2).count();
        println!("1.5x slower, dropped after one pair, of 5,000: {dropped}");
        let sets: [&[f64]; 7] = [
            &[150.0],
            &[150.0; 4],
            &[101.0],
            &[104.0; 4],
            &[200.0],
            &[300.0, 110.0],
            &[100.0],
        ];
        for launches in [100, 300, 1000, 3000] {
            let costs = sets.map(|s| programs(s, noise, (60_000 / launches).min(200), launches));
            let worst = costs.iter().flatten().map(|p| p.regret);
            let worst = worst.fold(0.0, f64::max);
            println!("worst cost of trials, {launches} launches: {worst:.4}");
        }
    }
}
