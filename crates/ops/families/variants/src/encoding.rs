//! Lists, maps and optionals encoded as tensors, for storage of elements in files.

use crate::list::TensorList;
use crate::map::TensorMap;
use crate::optional::Optional;
use levada_graph::{EncodedVariant, Variant};

/// Returns the tensors of a list, a map or an optional; `None` for other values.
pub fn encode(value: &Variant) -> Option<EncodedVariant> {
    let list = value.get::<TensorList>().map(TensorList::encode);
    let map = || value.get::<TensorMap>().map(TensorMap::encode);
    let optional = || value.get::<Optional>().map(Optional::encode);
    list.or_else(map).or_else(optional)
}

/// Returns the value that [`encode`] encoded; `None` for other encodings.
pub fn decode(encoded: &EncodedVariant) -> Option<Variant> {
    let tensors = &encoded.tensors;
    match encoded.type_name.as_str() {
        TensorList::ENCODED => TensorList::decode(tensors).map(Variant::new),
        TensorMap::ENCODED => TensorMap::decode(tensors).map(Variant::new),
        Optional::ENCODED => Optional::decode(tensors).map(Variant::new),
        _ => None,
    }
}
