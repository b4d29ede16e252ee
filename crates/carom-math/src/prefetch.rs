//! Asking for memory before it is needed.

/// Asks for all of an element of a slice, and does not wait for it: where there is none, nothing happens. No value depends on it.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    let Some(element) = slice.get(index) else { return };
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let first: *const i8 = core::ptr::from_ref(element).cast();
        let last = size_of::<T>().saturating_sub(1);
        for byte in (0..last).step_by(64).chain([last]) {
            // SAFETY: all are bytes of the element; a prefetch faults nowhere anyway.
            #[expect(unsafe_code, reason = "an instruction without a safe form")]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(first.add(byte));
            }
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
