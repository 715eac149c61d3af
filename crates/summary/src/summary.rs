//! The message `Summary`: tagged values.

use crate::message::{Message, fields};
use crate::{Histogram, audio, image};
use levada_graph::{Error, Result, Tensor, write};

/// Tagged values.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct Summary(Message);

impl Summary {
    /// The message.
    pub fn bytes(&self) -> &[u8] {
        &self.0.0
    }

    /// Adds the values of another summary, given as a message.
    pub fn merge(&mut self, message: &[u8]) {
        // Concatenated messages are their union.
        self.0.0.extend_from_slice(message);
    }

    fn value(&mut self, tag: &[u8], content: impl FnOnce(&mut Message)) {
        let mut value = Message::default();
        value.text(1, tag);
        content(&mut value);
        self.0.bytes(1, &value.0);
    }

    /// Adds a number.
    pub fn scalar(&mut self, tag: impl AsRef<[u8]>, value: f32) {
        self.value(tag.as_ref(), |m| m.float(2, value));
    }

    /// Adds a histogram of numbers.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a number that is not finite.
    pub fn histogram(&mut self, tag: impl AsRef<[u8]>, values: impl IntoIterator<Item = f64>) -> Result<()> {
        let mut histogram = Histogram::default();
        for value in values {
            if !value.is_finite() {
                let what = if value.is_nan() { "Nan" } else { "Infinity" };
                let tag = String::from_utf8_lossy(tag.as_ref()).into_owned();
                return Err(Error::invalid(format!("{what} in summary histogram for: {tag}")));
            }
            histogram.add(value);
        }
        self.counted(tag, &histogram);
        Ok(())
    }

    /// Adds an existing histogram.
    pub fn counted(&mut self, tag: impl AsRef<[u8]>, histogram: &Histogram) {
        let message = histogram.message();
        self.value(tag.as_ref(), |m| m.bytes(5, &message.0));
    }

    /// Adds the first `max` images of a batch, each with its own tag if `max` is more than one. Pixels that are not
    /// finite become `bad_color`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a tensor that is not a batch of images.
    pub fn images(&mut self, tag: impl AsRef<[u8]>, batch: &Tensor, max: usize, bad_color: &[u8]) -> Result<()> {
        for (i, message) in image::images(batch, max, bad_color)?.iter().enumerate() {
            self.value(&numbered(tag.as_ref(), "image", i, max), |m| m.bytes(4, &message.0));
        }
        Ok(())
    }

    /// Adds the first `max` clips of a batch of sound, each with its own tag if `max` is more than one.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a tensor that is not a batch of sound.
    pub fn audio(&mut self, tag: impl AsRef<[u8]>, batch: &Tensor, rate: f32, max: usize) -> Result<()> {
        for (i, message) in audio::clips(batch, rate, max)?.iter().enumerate() {
            self.value(&numbered(tag.as_ref(), "audio", i, max), |m| m.bytes(6, &message.0));
        }
        Ok(())
    }

    /// Adds a tensor. `metadata` is a `SummaryMetadata` message, which names the plugin that shows it.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` for a tensor that cannot be stored in a file.
    pub fn tensor(&mut self, tag: impl AsRef<[u8]>, tensor: &Tensor, metadata: Option<&[u8]>) -> Result<()> {
        let message = write::tensor_to_pb(tensor)?;
        self.value(tag.as_ref(), |m| {
            m.bytes(8, &message);
            if let Some(metadata) = metadata {
                m.bytes(9, metadata);
            }
        });
        Ok(())
    }

    /// Adds a tensor with the name of a node instead of a tag.
    ///
    /// # Errors
    /// The errors of [`Summary::tensor`].
    pub fn node(&mut self, node: &str, tensor: &Tensor) -> Result<()> {
        let message = write::tensor_to_pb(tensor)?;
        self.value(b"", |m| {
            m.text(7, node.as_bytes());
            m.bytes(8, &message);
        });
        Ok(())
    }
}

/// `tag/image/2`, or `tag/image` if there is only one.
fn numbered(tag: &[u8], kind: &str, i: usize, max: usize) -> Vec<u8> {
    let end = if max > 1 { format!("/{kind}/{i}") } else { format!("/{kind}") };
    [tag, end.as_bytes()].concat()
}

/// The tags of the values of a summary, given as a message; empty for values without a tag.
///
/// # Errors
/// `INVALID_ARGUMENT` if the bytes are not a summary.
pub fn tags(message: &[u8]) -> Result<Vec<&[u8]>> {
    let broken = || Error::invalid("the bytes are not a serialized summary");
    let values = fields(message).ok_or_else(broken)?;
    let tag = |value| {
        let found = fields(value).ok_or_else(broken)?;
        Ok(found.iter().find(|(number, _)| *number == 1).map_or(&b""[..], |(_, tag)| *tag))
    };
    values.into_iter().filter(|(number, _)| *number == 1).map(|(_, value)| tag(value)).collect()
}
