//! Medians, quartiles, geometric means and rank correlation.

/// The value below which the share `q` of `values` lies; `None` of nothing.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len().checked_sub(1)? as f64) * q;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    Some(sorted[low] + (sorted[high] - sorted[low]) * at.fract())
}

/// The middle value.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The mean of ratios: a gain and an equal loss cancel out.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: f64 = values.iter().map(|v| v.ln()).sum();
    (!values.is_empty()).then(|| (logs / values.len() as f64).exp())
}

/// Spearman's rank correlation of pairs, ties sharing their mean rank. `None` below three pairs or
/// where one side is all equal.
pub fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < 3 {
        return None;
    }
    let a = ranks(&pairs.iter().map(|p| p.0).collect::<Vec<_>>());
    let b = ranks(&pairs.iter().map(|p| p.1).collect::<Vec<_>>());
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let sum = |f: &dyn Fn(usize) -> f64| (0..pairs.len()).map(f).sum::<f64>();
    let both = sum(&|i| (a[i] - mean) * (b[i] - mean));
    let each = sum(&|i| (a[i] - mean).powi(2)) * sum(&|i| (b[i] - mean).powi(2));
    (each > 0.0).then(|| both / each.sqrt())
}

/// Rank of each value from 1, equal values sharing the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |v: &f64| {
        let below = values.iter().filter(|o| *o < v).count();
        let equal = values.iter().filter(|o| *o == v).count();
        below as f64 + (equal as f64 + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_ignores_one_outlier() {
        assert_eq!(median(&[1.0, 100.0, 2.0]), Some(2.0));
        assert_eq!(median(&[1.0, 2.0]), Some(1.5));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn quartiles_interpolate() {
        assert_eq!(quantile(&[4.0, 1.0, 3.0, 2.0, 5.0], 0.25), Some(2.0));
        assert_eq!(quantile(&[0.0, 1.0], 0.75), Some(0.75));
    }

    #[test]
    fn a_gain_and_an_equal_loss_cancel_out() {
        assert!((geometric_mean(&[2.0, 0.5]).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[]), None);
    }

    #[test]
    fn ranks_correlate_whatever_the_scale() {
        let rising = [(1.0, 1.0), (2.0, 10.0), (3.0, 1000.0)];
        assert!((rank_correlation(&rising).unwrap() - 1.0).abs() < 1e-12);
        let falling = [(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)];
        assert!((rank_correlation(&falling).unwrap() + 1.0).abs() < 1e-12);
        assert_eq!(
            rank_correlation(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]),
            None
        );
        assert_eq!(rank_correlation(&rising[..2]), None);
    }

    #[test]
    fn ties_share_their_rank() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 9.0]), [2.5, 1.0, 2.5, 4.0]);
        // A textbook case: x = 1 2 2 4, y = 1 2 3 4 gives 0.9487.
        let pairs = [(1.0, 1.0), (2.0, 2.0), (2.0, 3.0), (4.0, 4.0)];
        assert!((rank_correlation(&pairs).unwrap() - 0.9487).abs() < 1e-4);
    }
}
