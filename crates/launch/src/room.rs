//! What the host's function for a version's launch writes: `mesi_room` of the run-time part.
//!
//! ```text
//! block.x .y .z  grid.x .y .z  how many parameters the kernel has, plus one, or 0  the words of one parameter more
//! ```

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_time_part_has_as_many_words() {
        let header = include_str!("../../../rt/mesi_rt.h");
        assert!(header.contains(&format!("#define MESI_WORDS {WORDS}\n")));
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
