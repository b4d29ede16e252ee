//! Every check on systems of real elements.
