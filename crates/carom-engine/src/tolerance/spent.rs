//! What attempts that were taken back have cost.

use std::time::Duration;

use carom_model::ContactTimes;

use crate::MethodSummary;

/// Time spent by engines that were given up: for people, never for decisions.
#[derive(Clone, Copy, Default)]
pub(super) struct Spent {
    pub elements: Duration,
    pub contact: ContactTimes,
}

impl Spent {
    /// Adds what an engine spent that is given up.
    pub fn add(&mut self, given_up: &MethodSummary) {
        self.elements += given_up.element_time.unwrap_or_default();
        self.contact = self.contact + given_up.contact.map(|contact| contact.times).unwrap_or_default();
    }
}
