//! Writes the fields of protobuf messages. As in TensorFlow's messages, zero values are omitted.

/// A message under construction, with its fields in the order of their numbers.
#[derive(Clone, Default, Debug, PartialEq)]
pub(crate) struct Message(pub(crate) Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(crate) fn bytes(&mut self, number: u64, value: &[u8]) {
        self.varint(number << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    /// Text, omitted if empty.
    pub(crate) fn text(&mut self, number: u64, value: &[u8]) {
        if !value.is_empty() {
            self.bytes(number, value);
        }
    }

    pub(crate) fn int(&mut self, number: u64, value: i64) {
        if value != 0 {
            self.varint(number << 3);
            self.varint(value as u64);
        }
    }

    pub(crate) fn double(&mut self, number: u64, value: f64) {
        if value.to_bits() != 0 {
            self.varint(number << 3 | 1);
            self.0.extend(value.to_le_bytes());
        }
    }

    /// A float that is written even if it is zero: a member of a oneof.
    pub(crate) fn float(&mut self, number: u64, value: f32) {
        self.varint(number << 3 | 5);
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn doubles(&mut self, number: u64, values: &[f64]) {
        self.bytes(number, &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>());
    }
}

/// The length-delimited fields of a message, with their numbers; `None` if the bytes are not a message.
pub(crate) fn fields(mut rest: &[u8]) -> Option<Vec<(u64, &[u8])>> {
    fn varint(rest: &mut &[u8]) -> Option<u64> {
        let mut value = 0;
        for i in 0..10 {
            let (&byte, after) = rest.split_first()?;
            *rest = after;
            value |= u64::from(byte & 0x7f) << (7 * i);
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
    let mut found = Vec::new();
    while !rest.is_empty() {
        let tag = varint(&mut rest)?;
        let length = match tag & 7 {
            0 => {
                varint(&mut rest)?;
                continue;
            }
            1 => 8,
            2 => usize::try_from(varint(&mut rest)?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (value, after) = rest.split_at_checked(length)?;
        rest = after;
        if tag & 7 == 2 {
            found.push((tag >> 3, value));
        }
    }
    Some(found)
}
