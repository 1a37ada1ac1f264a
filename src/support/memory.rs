//! Whether there is memory, asked before many small pieces of it are, of which a refused one would end the program.

use std::hint::black_box;

/// Whether so many bytes can be had in one piece; they are given back untouched.
pub fn has_room(bytes: usize) -> bool {
    let mut room: Vec<u8> = Vec::new();
    let is_granted = room.try_reserve_exact(bytes).is_ok();
    // an allocation that nobody looks at may be left out
    drop(black_box(room));
    is_granted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_a_little_and_not_for_all_addresses() {
        assert!(has_room(1 << 20));
        assert!(!has_room(usize::MAX));
    }
}
