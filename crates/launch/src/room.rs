//! What the host's function for a version's launch writes: `mesi_room` of the run-time part.
//!
//! ```text
//! block.x .y .z  grid.x .y .z  how many parameters the kernel has, plus one, or 0  the words of one parameter more
//! ```

use crate::gate::RANGES;

/// Words of the parameter that a version in a trimmed grid has besides its kernel's.
pub const WORDS: usize = 39;

/// Block and grid, and the bytes of the parameter that the version has besides its kernel's; none: it has no more.
pub type Relaunch = ([[u32; 3]; 2], Vec<u8>);

/// The launch that `ask` makes of one in these blocks, of a kernel with so many parameters; `None`: it makes none.
pub fn relaunch(
    [block, grid]: [[u32; 3]; 2],
    parameters: usize,
    ask: impl FnOnce(&mut [u32; 7 + WORDS]) -> bool,
) -> Option<Relaunch> {
    let mut room = [0; 7 + WORDS];
    room[..3].copy_from_slice(&block);
    room[3..6].copy_from_slice(&grid);
    let made = ask(&mut room);
    let [x, y, z, gx, gy, gz, count, list @ ..] = room;
    let has_list = count as usize == parameters + 1;
    let words = if has_list { &list[..] } else { &[] };
    let bytes = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    made.then_some(([[x, y, z], [gx, gy, gz]], bytes))
}

/// `struct mesi_ranges` of the run-time part.
#[repr(C)]
struct Ranges {
    launch: [u32; 6],
    /// Of each the lowest byte, and the end of the highest.
    all: [[u64; 2]; RANGES],
}

/// Where bytes lie that must be memory for a version, as `ask` writes it behind the numbers of a launch in these blocks:
/// of each range the lowest and the end of the highest; `None`: it cannot tell.
pub fn ranges(
    [[x, y, z], [gx, gy, gz]]: [[u32; 3]; 2],
    ask: impl FnOnce(*mut u32) -> bool,
) -> Option<Vec<[u64; 2]>> {
    let mut room = Ranges {
        launch: [x, y, z, gx, gy, gz],
        all: [[0; 2]; RANGES],
    };
    let known = ask((&raw mut room).cast());
    let some = room.all.into_iter().filter(|[low, end]| low != end);
    known.then(|| some.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_time_part_has_as_many_words() {
        let header = include_str!("../../../rt/mesi_rt.h");
        assert!(header.contains(&format!("#define MESI_WORDS {WORDS}\n")));
        assert!(header.contains(&format!("#define MESI_RANGES {RANGES}\n")));
    }

    #[test]
    fn ranges_stand_behind_the_numbers() {
        let own = [[32, 8, 1], [4, 4, 1]];
        let ask = |answer| {
            ranges(own, |room| {
                // SAFETY: there is room for the numbers and the ranges.
                unsafe {
                    assert_eq!((*room, *room.add(3)), (32, 4));
                    room.add(6).cast::<[u64; 2]>().write([256, 512]);
                    room.add(6 + 8).cast::<[u64; 2]>().write([512, 513]);
                }
                answer
            })
        };
        assert_eq!(ask(true), Some(vec![[256, 512], [512, 513]]));
        assert_eq!(ask(false), None);
        assert_eq!(ranges(own, |_| true), Some(Vec::new()));
    }

    #[test]
    fn the_words_are_there_if_the_count_says_so() {
        let own = [[32, 8, 1], [4, 4, 1]];
        let ask = |count| {
            relaunch(own, 2, |room| {
                (room[3], room[6], room[7]) = (5, count, 258);
                true
            })
        };
        let (launch, bytes) = ask(3).unwrap();
        assert_eq!(launch, [[32, 8, 1], [5, 4, 1]]);
        assert_eq!((bytes.len(), &bytes[..2]), (4 * WORDS, &[2, 1][..]));
        assert_eq!(ask(0).unwrap().1, []);
        assert_eq!(relaunch(own, 2, |_| false), None);
    }
}
