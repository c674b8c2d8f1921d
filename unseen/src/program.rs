//! Programs.
/// The timed launches.
pub fn rows(kernel: &crate::Kernel) -> Vec<mesi_launch::BenchRow> {
    kernel.corpus.bench_rows().iter().filter(|r| r.class == mesi_launch::Class::Large).cloned().collect()
}
