//! Asking for memory before it is needed.

/// Bytes that come at once.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Prefetches all of an element of a slice without waiting for it; an index out of bounds is ignored. No value depends on it.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    let Some(element) = slice.get(index) else { return };
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let first: *const i8 = core::ptr::from_ref(element).cast();
        each_line(
            size_of::<T>(),
            align_of::<T>(),
            // SAFETY: bytes of the element; a prefetch faults nowhere anyway.
            #[inline(always)]
            #[expect(unsafe_code, reason = "an instruction without a safe form")]
            |byte| unsafe { _mm_prefetch::<_MM_HINT_T0>(first.add(byte)) },
        );
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}

/// Calls `ask` with the offset of one byte in each cache line that an object of this size and alignment, in bytes, may touch.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn each_line(size: usize, align: usize, mut ask: impl FnMut(usize)) {
    for line in 0..size / LINE {
        ask(LINE * line);
    }
    if !size.is_multiple_of(LINE) {
        ask(size / LINE * LINE);
    }
    // Where it does not begin with a line, it ends in one more.
    if align < LINE {
        ask(size.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_may_be_asked_for() {
        for index in [0, 2, 3, usize::MAX] {
            prefetch(&[1.0, 2.0, 3.0], index);
            prefetch::<[f64; 16]>(&[], index);
            prefetch(&[(); 3], index);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn every_line_of_an_element_is_asked_for_and_no_other() {
        use std::collections::BTreeSet;
        for align in [1, 2, 4, 8, 16, 32, 64, 128] {
            for size in (align..=5 * LINE).step_by(align) {
                for start in (0..LINE).step_by(align) {
                    let mut asked = BTreeSet::new();
                    each_line(size, align, |byte| {
                        asked.insert((start + byte) / LINE);
                    });
                    let touched: BTreeSet<usize> = (start..start + size).map(|byte| byte / LINE).collect();
                    assert_eq!(asked, touched, "{size} bytes, aligned to {align}, at {start}");
                }
            }
        }
    }
}
