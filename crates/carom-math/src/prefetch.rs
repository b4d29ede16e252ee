//! Asking for memory before it is needed.

/// Bytes that come at once.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Asks for all of an element of a slice, and does not wait for it: where there is none, nothing happens. No value depends on it.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    let Some(element) = slice.get(index) else { return };
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let (first, size): (*const i8, _) = (core::ptr::from_ref(element).cast(), size_of::<T>());
        // SAFETY: bytes of the element; a prefetch faults nowhere anyway.
        #[expect(unsafe_code, reason = "an instruction without a safe form")]
        let ask = |byte: usize| unsafe { _mm_prefetch::<_MM_HINT_T0>(first.add(byte)) };
        for line in 0..size / LINE {
            ask(LINE * line);
        }
        if !size.is_multiple_of(LINE) {
            ask(size / LINE * LINE);
        }
        // Where it does not begin with a line, it ends in one more.
        if align_of::<T>() < LINE {
            ask(size.saturating_sub(1));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
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
}
