//! Sorting of short lists.
//!
//! The standard library's sort is some 8 KB of code for every type and key it is used with, and this crate's lists
//! have a handful of elements: insertion does for them, is as fast, and keeps the plug-in small. Where a list may have
//! thousands of elements, the standard sort is the one to use.

use std::cmp::Ordering;

/// Sorts a short list; equal elements stay in order. Quadratic.
pub fn sort_by<T>(list: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && order(&list[at - 1], &list[at]) == Ordering::Greater {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// [`sort_by`] the elements' own order.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

/// [`sort_by`] a key, which is made anew for every comparison.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_like_the_standard_library() {
        let mut seed = 1u64;
        for n in 0..40 {
            let mut list: Vec<(u64, usize)> = (0..n)
                .map(|i| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
                    (seed >> 61, i)
                })
                .collect();
            let mut known = list.clone();
            known.sort_by_key(|p| p.0);
            sort_by_key(&mut list, |p| p.0);
            assert_eq!(list, known);
            known.sort();
            sort(&mut list);
            assert_eq!(list, known);
        }
    }
}
