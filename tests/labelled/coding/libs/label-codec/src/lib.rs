//! Encoding and decoding of parcel labels.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod checksum;
mod error;
pub mod barcode;
pub mod layout;

pub use crate::barcode::{Barcode, Symbology};
pub use crate::error::{DecodeError, EncodeError};
pub use crate::layout::Label;

/// The crate's most used items.
pub mod prelude {
    pub use crate::{Barcode, Label, Symbology};
}
