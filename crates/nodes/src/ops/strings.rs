// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `strings`.

use crate::node::{Input, Node, Ops, common, one_output, string};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// Formats every element as C's `printf` would.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any number, string, bool, variant.
    pub fn as_string(&self, input: impl Input) -> AsString<'_> {
        AsString(Node::new(self, "AsString").input(input))
    }

    /// Decodes strings from Base64, with or without padding.
    ///
    /// - `input`: a tensor of string
    pub fn decode_base64(&self, input: impl Input) -> DecodeBase64<'_> {
        DecodeBase64(Node::new(self, "DecodeBase64").input(input))
    }

    /// Splits each record into fields and parses each field as the dtype of its column.
    ///
    /// - `records`: a tensor of string
    /// - `record_defaults`: any number of tensors of any dtypes
    ///
    /// `OUT_TYPE` is float32, float64, int32, string, int64.
    ///
    /// It has no gradient.
    pub fn decode_csv(&self, records: impl Input, record_defaults: impl IntoIterator<Item = impl Input>) -> DecodeCSV<'_> {
        DecodeCSV(Node::new(self, "DecodeCSV").input(records).list(record_defaults))
    }

    /// Reinterprets the first `fixed_length` bytes of each string as numbers; shorter strings are padded with zeros.
    ///
    /// - `input_bytes`: a tensor of string
    /// - `fixed_length`: a tensor of int32
    /// - `out_type`: Element type of the output. Allowed: any float, int32, uint8, int16, int8, int64, uint16.
    pub fn decode_padded_raw(&self, input_bytes: impl Input, fixed_length: impl Input, out_type: DType) -> DecodePaddedRaw<'_> {
        let mut node = Node::new(self, "DecodePaddedRaw").input(input_bytes).input(fixed_length);
        node.set("out_type", out_type);
        DecodePaddedRaw(node)
    }

    /// Reinterprets the bytes of each string as numbers; all strings must be equally long.
    ///
    /// - `bytes`: a tensor of string
    /// - `out_type`: Element type of the output. Allowed: any float or complex number, int32, uint8, int16, int8, int64, bool, uint16.
    pub fn decode_raw(&self, bytes: impl Input, out_type: DType) -> DecodeRaw<'_> {
        let mut node = Node::new(self, "DecodeRaw").input(bytes);
        node.set("out_type", out_type);
        DecodeRaw(node)
    }

    /// Encodes strings in Base64.
    ///
    /// - `input`: a tensor of string
    pub fn encode_base64(&self, input: impl Input) -> EncodeBase64<'_> {
        EncodeBase64(Node::new(self, "EncodeBase64").input(input))
    }

    /// Returns the fingerprint of the bytes of each row, along the first axis. For rows of several strings it is the fingerprint of their fingerprints.
    ///
    /// - `data`: a tensor of `T`
    /// - `method`: a tensor of string
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn fingerprint(&self, data: impl Input, method: impl Input) -> Fingerprint<'_> {
        Fingerprint(Node::new(self, "Fingerprint").input(data).input(method))
    }

    /// Joins the strings along the axes in `reduction_indices`, of which the first varies fastest.
    ///
    /// - `inputs`: a tensor of string
    /// - `reduction_indices`: a tensor of int32
    pub fn reduce_join(&self, inputs: impl Input, reduction_indices: impl Input) -> ReduceJoin<'_> {
        ReduceJoin(Node::new(self, "ReduceJoin").input(inputs).input(reduction_indices))
    }

    /// Returns for each string whether all of it matches `pattern`.
    ///
    /// - `input`: a tensor of string
    /// - `pattern`: a tensor of string
    ///
    /// It has no gradient.
    pub fn regex_full_match(&self, input: impl Input, pattern: impl Input) -> RegexFullMatch<'_> {
        RegexFullMatch(Node::new(self, "RegexFullMatch").input(input).input(pattern))
    }

    /// Replaces matches of `pattern` by `rewrite`, in which `\1` stands for the first group.
    ///
    /// - `input`: a tensor of string
    /// - `pattern`: a tensor of string
    /// - `rewrite`: a tensor of string
    pub fn regex_replace(&self, input: impl Input, pattern: impl Input, rewrite: impl Input) -> RegexReplace<'_> {
        RegexReplace(Node::new(self, "RegexReplace").input(input).input(pattern).input(rewrite))
    }

    /// Returns for each string whether all of it matches `pattern`.
    ///
    /// - `input`: a tensor of string
    /// - `pattern`: Regular expression to match.
    ///
    /// It has no gradient.
    pub fn static_regex_full_match(&self, input: impl Input, pattern: impl AsRef<[u8]>) -> StaticRegexFullMatch<'_> {
        let mut node = Node::new(self, "StaticRegexFullMatch").input(input);
        node.set("pattern", string(pattern));
        StaticRegexFullMatch(node)
    }

    /// Replaces matches of `pattern` by `rewrite`, in which `\1` stands for the first group.
    ///
    /// - `input`: a tensor of string
    /// - `pattern`: Regular expression to search for.
    /// - `rewrite`: Replacement.
    ///
    /// It has no gradient.
    pub fn static_regex_replace(&self, input: impl Input, pattern: impl AsRef<[u8]>, rewrite: impl AsRef<[u8]>) -> StaticRegexReplace<'_> {
        let mut node = Node::new(self, "StaticRegexReplace").input(input);
        node.set("pattern", string(pattern));
        node.set("rewrite", string(rewrite));
        StaticRegexReplace(node)
    }

    /// Replaces the placeholders of the template by the inputs.
    ///
    /// - `inputs`: any number of tensors of any dtypes
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn string_format(&self, inputs: impl IntoIterator<Item = impl Input>) -> StringFormat<'_> {
        StringFormat(Node::new(self, "StringFormat").list(inputs))
    }

    /// Joins the elements of `inputs`, with `separator` between them; scalars are broadcast.
    ///
    /// - `inputs`: any number of tensors of string
    pub fn string_join(&self, inputs: impl IntoIterator<Item = impl Input>) -> StringJoin<'_> {
        StringJoin(Node::new(self, "StringJoin").list(inputs))
    }

    /// Returns the length of each string.
    ///
    /// - `input`: a tensor of string
    ///
    /// It has no gradient.
    pub fn string_length(&self, input: impl Input) -> StringLength<'_> {
        StringLength(Node::new(self, "StringLength").input(input))
    }

    /// Converts letters to lower case.
    ///
    /// - `input`: a tensor of string
    ///
    /// It has no gradient.
    pub fn string_lower(&self, input: impl Input) -> StringLower<'_> {
        StringLower(Node::new(self, "StringLower").input(input))
    }

    /// Returns the n-grams of `ngram_widths` strings in each row of `data`; `data_splits` delimit the rows.
    ///
    /// - `data`: a tensor of string
    /// - `data_splits`: a tensor of `Tsplits`
    /// - `separator`: Separator.
    /// - `ngram_widths`: Widths of the n-grams. Length at least 0.
    /// - `left_pad`: Padding before a row.
    /// - `right_pad`: Padding after a row.
    /// - `pad_width`: Number of pads on each side; negative for as many as fit the n-gram.
    /// - `preserve_short_sequences`: Whether a row too short for any n-gram yields one with the whole row.
    ///
    /// `Tsplits` is int32, int64.
    ///
    /// It has no gradient.
    pub fn string_n_grams(&self, data: impl Input, data_splits: impl Input, separator: impl AsRef<[u8]>, ngram_widths: &[i64], left_pad: impl AsRef<[u8]>, right_pad: impl AsRef<[u8]>, pad_width: i64, preserve_short_sequences: bool) -> StringNGrams<'_> {
        let mut node = Node::new(self, "StringNGrams").input(data).input(data_splits);
        node.set("separator", string(separator));
        node.set("ngram_widths", ngram_widths.to_vec());
        node.set("left_pad", string(left_pad));
        node.set("right_pad", string(right_pad));
        node.set("pad_width", pad_width);
        node.set("preserve_short_sequences", preserve_short_sequences);
        StringNGrams(node)
    }

    /// Splits strings at every byte in `delimiter`; an empty delimiter splits into bytes.
    ///
    /// - `input`: a tensor of string
    /// - `delimiter`: a tensor of string
    pub fn string_split(&self, input: impl Input, delimiter: impl Input) -> StringSplit<'_> {
        StringSplit(Node::new(self, "StringSplit").input(input).input(delimiter))
    }

    /// Splits strings at every occurrence of `sep`, or at whitespace if it is empty, like Python's `str.split`.
    ///
    /// - `input`: a tensor of string
    /// - `sep`: a tensor of string
    ///
    /// It has no gradient.
    pub fn string_split_v2(&self, input: impl Input, sep: impl Input) -> StringSplitV2<'_> {
        StringSplitV2(Node::new(self, "StringSplitV2").input(input).input(sep))
    }

    /// Strips leading and trailing whitespace.
    ///
    /// - `input`: a tensor of string
    ///
    /// It has no gradient.
    pub fn string_strip(&self, input: impl Input) -> StringStrip<'_> {
        StringStrip(Node::new(self, "StringStrip").input(input))
    }

    /// Returns the hash bucket of each string.
    ///
    /// - `string_tensor`: a tensor of string
    /// - `num_buckets`: Number of buckets. At least 1.
    pub fn string_to_hash_bucket(&self, string_tensor: impl Input, num_buckets: i64) -> StringToHashBucket<'_> {
        let mut node = Node::new(self, "StringToHashBucket").input(string_tensor);
        node.set("num_buckets", num_buckets);
        StringToHashBucket(node)
    }

    /// Returns the hash bucket of each string, with a hash that is stable across versions.
    ///
    /// - `input`: a tensor of string
    /// - `num_buckets`: Number of buckets. At least 1.
    pub fn string_to_hash_bucket_fast(&self, input: impl Input, num_buckets: i64) -> StringToHashBucketFast<'_> {
        let mut node = Node::new(self, "StringToHashBucketFast").input(input);
        node.set("num_buckets", num_buckets);
        StringToHashBucketFast(node)
    }

    /// Returns the hash bucket of each string under a key; without the key, a bucket cannot be targeted.
    ///
    /// - `input`: a tensor of string
    /// - `num_buckets`: Number of buckets. At least 1.
    /// - `key`: The key: two integers.
    pub fn string_to_hash_bucket_strong(&self, input: impl Input, num_buckets: i64, key: &[i64]) -> StringToHashBucketStrong<'_> {
        let mut node = Node::new(self, "StringToHashBucketStrong").input(input);
        node.set("num_buckets", num_buckets);
        node.set("key", key.to_vec());
        StringToHashBucketStrong(node)
    }

    /// Parses each string as a number.
    ///
    /// - `string_tensor`: a tensor of string
    pub fn string_to_number(&self, string_tensor: impl Input) -> StringToNumber<'_> {
        StringToNumber(Node::new(self, "StringToNumber").input(string_tensor))
    }

    /// Converts letters to upper case.
    ///
    /// - `input`: a tensor of string
    ///
    /// It has no gradient.
    pub fn string_upper(&self, input: impl Input) -> StringUpper<'_> {
        StringUpper(Node::new(self, "StringUpper").input(input))
    }

    /// Returns the `len` bytes or characters of each string starting at `pos`, which counts from the end if negative.
    ///
    /// - `input`: a tensor of string
    /// - `pos`: a tensor of `T`
    /// - `len`: a tensor of `T`
    ///
    /// `T` is int32, int64.
    ///
    /// It has no gradient.
    pub fn substr(&self, input: impl Input, pos: impl Input, len: impl Input) -> Substr<'_> {
        Substr(Node::new(self, "Substr").input(input).input(pos).input(len))
    }

    /// Returns whether a scalar is neither zero nor empty, or whether another tensor has elements.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn to_bool(&self, input: impl Input) -> ToBool<'_> {
        ToBool(Node::new(self, "ToBool").input(input))
    }

    /// Decodes strings to code points; row splits delimit the strings.
    ///
    /// - `input`: a tensor of string
    /// - `input_encoding`: Encoding of the strings.
    ///
    /// It has no gradient.
    pub fn unicode_decode(&self, input: impl Input, input_encoding: impl AsRef<[u8]>) -> UnicodeDecode<'_> {
        let mut node = Node::new(self, "UnicodeDecode").input(input);
        node.set("input_encoding", string(input_encoding));
        UnicodeDecode(node)
    }

    /// Decodes strings to code points and the byte offset of each; row splits delimit the strings.
    ///
    /// - `input`: a tensor of string
    /// - `input_encoding`: Encoding of the strings.
    ///
    /// It has no gradient.
    pub fn unicode_decode_with_offsets(&self, input: impl Input, input_encoding: impl AsRef<[u8]>) -> UnicodeDecodeWithOffsets<'_> {
        let mut node = Node::new(self, "UnicodeDecodeWithOffsets").input(input);
        node.set("input_encoding", string(input_encoding));
        UnicodeDecodeWithOffsets(node)
    }

    /// Encodes each row of code points as a string; `input_splits` delimit the rows.
    ///
    /// - `input_values`: a tensor of int32
    /// - `input_splits`: a tensor of `Tsplits`
    /// - `output_encoding`: Encoding of the output. One of `"UTF-8"`, `"UTF-16-BE"`, `"UTF-32-BE"`.
    ///
    /// `Tsplits` is int32, int64.
    ///
    /// It has no gradient.
    pub fn unicode_encode(&self, input_values: impl Input, input_splits: impl Input, output_encoding: impl AsRef<[u8]>) -> UnicodeEncode<'_> {
        let mut node = Node::new(self, "UnicodeEncode").input(input_values).input(input_splits);
        node.set("output_encoding", string(output_encoding));
        UnicodeEncode(node)
    }

    /// Returns the script number of each code point, or -1 for invalid code points.
    ///
    /// - `input`: a tensor of int32
    ///
    /// It has no gradient.
    pub fn unicode_script(&self, input: impl Input) -> UnicodeScript<'_> {
        UnicodeScript(Node::new(self, "UnicodeScript").input(input))
    }

    /// Transcodes strings to another encoding.
    ///
    /// - `input`: a tensor of string
    /// - `input_encoding`: Encoding of the strings.
    /// - `output_encoding`: Encoding of the output. One of `"UTF-8"`, `"UTF-16-BE"`, `"UTF-32-BE"`.
    ///
    /// It has no gradient.
    pub fn unicode_transcode(&self, input: impl Input, input_encoding: impl AsRef<[u8]>, output_encoding: impl AsRef<[u8]>) -> UnicodeTranscode<'_> {
        let mut node = Node::new(self, "UnicodeTranscode").input(input);
        node.set("input_encoding", string(input_encoding));
        node.set("output_encoding", string(output_encoding));
        UnicodeTranscode(node)
    }

    /// Joins the rows of `inputs` with equal `segment_ids`.
    ///
    /// - `inputs`: a tensor of string
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `Tindices` is int32, int64. `Tnumsegments` is int32, int64.
    ///
    /// It has no gradient.
    pub fn unsorted_segment_join(&self, inputs: impl Input, segment_ids: impl Input, num_segments: impl Input) -> UnsortedSegmentJoin<'_> {
        UnsortedSegmentJoin(Node::new(self, "UnsortedSegmentJoin").input(inputs).input(segment_ids).input(num_segments))
    }
}

/// A node of [`AsString`](Ops::as_string) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AsString<'a>(Node<'a>);

impl AsString<'_> {
    /// Number of digits after the decimal point; negative for 6. Default: `-1`.
    pub fn precision(mut self, precision: i64) -> Self {
        self.0.set("precision", precision);
        self
    }

    /// Whether to use scientific notation, as in `1.5e+00`. Default: `false`.
    pub fn scientific(mut self, scientific: bool) -> Self {
        self.0.set("scientific", scientific);
        self
    }

    /// Whether to use the shorter of the two notations. Default: `false`.
    pub fn shortest(mut self, shortest: bool) -> Self {
        self.0.set("shortest", shortest);
        self
    }

    /// Minimum number of bytes; negative for none. Default: `-1`.
    pub fn width(mut self, width: i64) -> Self {
        self.0.set("width", width);
        self
    }

    /// Padding up to the width: empty or one of `printf`'s flags. Default: `""`.
    pub fn fill(mut self, fill: impl AsRef<[u8]>) -> Self {
        self.0.set("fill", string(fill));
        self
    }
}

/// A node of [`DecodeBase64`](Ops::decode_base64) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodeBase64<'a>(Node<'a>);

/// A node of [`DecodeCSV`](Ops::decode_csv) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodeCSV<'a>(Node<'a>);

impl DecodeCSV<'_> {
    /// Field delimiter: one byte. Default: `","`.
    pub fn field_delim(mut self, field_delim: impl AsRef<[u8]>) -> Self {
        self.0.set("field_delim", string(field_delim));
        self
    }

    /// Whether fields may be quoted. Default: `true`.
    pub fn use_quote_delim(mut self, use_quote_delim: bool) -> Self {
        self.0.set("use_quote_delim", use_quote_delim);
        self
    }

    /// String that marks a missing field, besides the empty string. Default: `""`.
    pub fn na_value(mut self, na_value: impl AsRef<[u8]>) -> Self {
        self.0.set("na_value", string(na_value));
        self
    }

    /// Indices of the fields to read, ascending; empty for all. Default: none.
    pub fn select_cols(mut self, select_cols: &[i64]) -> Self {
        self.0.set("select_cols", select_cols.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`DecodePaddedRaw`](Ops::decode_padded_raw) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodePaddedRaw<'a>(Node<'a>);

impl DecodePaddedRaw<'_> {
    /// Whether the values are little-endian. Default: `true`.
    pub fn little_endian(mut self, little_endian: bool) -> Self {
        self.0.set("little_endian", little_endian);
        self
    }
}

/// A node of [`DecodeRaw`](Ops::decode_raw) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodeRaw<'a>(Node<'a>);

impl DecodeRaw<'_> {
    /// Whether the values are little-endian. Default: `true`.
    pub fn little_endian(mut self, little_endian: bool) -> Self {
        self.0.set("little_endian", little_endian);
        self
    }
}

/// A node of [`EncodeBase64`](Ops::encode_base64) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EncodeBase64<'a>(Node<'a>);

impl EncodeBase64<'_> {
    /// Whether to pad to groups of four characters with `=`. Default: `false`.
    pub fn pad(mut self, pad: bool) -> Self {
        self.0.set("pad", pad);
        self
    }
}

/// A node of [`Fingerprint`](Ops::fingerprint) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Fingerprint<'a>(Node<'a>);

/// A node of [`ReduceJoin`](Ops::reduce_join) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReduceJoin<'a>(Node<'a>);

impl ReduceJoin<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }

    /// Separator. Default: `""`.
    pub fn separator(mut self, separator: impl AsRef<[u8]>) -> Self {
        self.0.set("separator", string(separator));
        self
    }
}

/// A node of [`RegexFullMatch`](Ops::regex_full_match) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RegexFullMatch<'a>(Node<'a>);

/// A node of [`RegexReplace`](Ops::regex_replace) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RegexReplace<'a>(Node<'a>);

impl RegexReplace<'_> {
    /// Whether to replace every match instead of only the first. Default: `true`.
    pub fn replace_global(mut self, replace_global: bool) -> Self {
        self.0.set("replace_global", replace_global);
        self
    }
}

/// A node of [`StaticRegexFullMatch`](Ops::static_regex_full_match) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StaticRegexFullMatch<'a>(Node<'a>);

/// A node of [`StaticRegexReplace`](Ops::static_regex_replace) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StaticRegexReplace<'a>(Node<'a>);

impl StaticRegexReplace<'_> {
    /// Whether to replace every match instead of only the first. Default: `true`.
    pub fn replace_global(mut self, replace_global: bool) -> Self {
        self.0.set("replace_global", replace_global);
        self
    }
}

/// A node of [`StringFormat`](Ops::string_format) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringFormat<'a>(Node<'a>);

impl StringFormat<'_> {
    /// Template with placeholders. Default: `"%s"`.
    pub fn template(mut self, template: impl AsRef<[u8]>) -> Self {
        self.0.set("template", string(template));
        self
    }

    /// Placeholder for an input in the template. Default: `"%s"`.
    pub fn placeholder(mut self, placeholder: impl AsRef<[u8]>) -> Self {
        self.0.set("placeholder", string(placeholder));
        self
    }

    /// Number of elements to show at both ends of an axis; negative for all. Default: `3`.
    pub fn summarize(mut self, summarize: i64) -> Self {
        self.0.set("summarize", summarize);
        self
    }
}

/// A node of [`StringJoin`](Ops::string_join) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringJoin<'a>(Node<'a>);

impl StringJoin<'_> {
    /// Separator. Default: `""`.
    pub fn separator(mut self, separator: impl AsRef<[u8]>) -> Self {
        self.0.set("separator", string(separator));
        self
    }
}

/// A node of [`StringLength`](Ops::string_length) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringLength<'a>(Node<'a>);

impl StringLength<'_> {
    /// Whether to count bytes or UTF-8 characters. One of `"BYTE"`, `"UTF8_CHAR"`. Default: `"BYTE"`.
    pub fn unit(mut self, unit: impl AsRef<[u8]>) -> Self {
        self.0.set("unit", string(unit));
        self
    }
}

/// A node of [`StringLower`](Ops::string_lower) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringLower<'a>(Node<'a>);

impl StringLower<'_> {
    /// Empty to change only ASCII letters, `utf-8` to change all. Default: `""`.
    pub fn encoding(mut self, encoding: impl AsRef<[u8]>) -> Self {
        self.0.set("encoding", string(encoding));
        self
    }
}

/// A node of [`StringNGrams`](Ops::string_n_grams) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringNGrams<'a>(Node<'a>);

impl StringNGrams<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> StringNGramsOutputs {
        let mut outputs = self.0.outputs();
        StringNGramsOutputs { ngrams: outputs.one(), ngrams_splits: outputs.one() }
    }
}

/// The outputs of [`StringNGrams`](Ops::string_n_grams).
#[derive(Clone, Copy, Debug)]
pub struct StringNGramsOutputs {
    /// A tensor of string.
    pub ngrams: Output,
    /// A tensor of `Tsplits`.
    pub ngrams_splits: Output,
}

/// A node of [`StringSplit`](Ops::string_split) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringSplit<'a>(Node<'a>);

impl StringSplit<'_> {
    /// Whether to drop empty parts. Default: `true`.
    pub fn skip_empty(mut self, skip_empty: bool) -> Self {
        self.0.set("skip_empty", skip_empty);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> StringSplitOutputs {
        let mut outputs = self.0.outputs();
        StringSplitOutputs { indices: outputs.one(), values: outputs.one(), shape: outputs.one() }
    }
}

/// The outputs of [`StringSplit`](Ops::string_split).
#[derive(Clone, Copy, Debug)]
pub struct StringSplitOutputs {
    /// A tensor of int64.
    pub indices: Output,
    /// A tensor of string.
    pub values: Output,
    /// A tensor of int64.
    pub shape: Output,
}

/// A node of [`StringSplitV2`](Ops::string_split_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringSplitV2<'a>(Node<'a>);

impl StringSplitV2<'_> {
    /// Maximum number of splits; negative for no limit. Default: `-1`.
    pub fn maxsplit(mut self, maxsplit: i64) -> Self {
        self.0.set("maxsplit", maxsplit);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> StringSplitV2Outputs {
        let mut outputs = self.0.outputs();
        StringSplitV2Outputs { indices: outputs.one(), values: outputs.one(), shape: outputs.one() }
    }
}

/// The outputs of [`StringSplitV2`](Ops::string_split_v2).
#[derive(Clone, Copy, Debug)]
pub struct StringSplitV2Outputs {
    /// A tensor of int64.
    pub indices: Output,
    /// A tensor of string.
    pub values: Output,
    /// A tensor of int64.
    pub shape: Output,
}

/// A node of [`StringStrip`](Ops::string_strip) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringStrip<'a>(Node<'a>);

/// A node of [`StringToHashBucket`](Ops::string_to_hash_bucket) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringToHashBucket<'a>(Node<'a>);

/// A node of [`StringToHashBucketFast`](Ops::string_to_hash_bucket_fast) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringToHashBucketFast<'a>(Node<'a>);

/// A node of [`StringToHashBucketStrong`](Ops::string_to_hash_bucket_strong) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringToHashBucketStrong<'a>(Node<'a>);

/// A node of [`StringToNumber`](Ops::string_to_number) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringToNumber<'a>(Node<'a>);

impl StringToNumber<'_> {
    /// Element type of the output. Allowed: float32, float64, int32, int64, uint32, uint64. Default: float32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }
}

/// A node of [`StringUpper`](Ops::string_upper) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StringUpper<'a>(Node<'a>);

impl StringUpper<'_> {
    /// Empty to change only ASCII letters, `utf-8` to change all. Default: `""`.
    pub fn encoding(mut self, encoding: impl AsRef<[u8]>) -> Self {
        self.0.set("encoding", string(encoding));
        self
    }
}

/// A node of [`Substr`](Ops::substr) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Substr<'a>(Node<'a>);

impl Substr<'_> {
    /// Whether to count bytes or UTF-8 characters. One of `"BYTE"`, `"UTF8_CHAR"`. Default: `"BYTE"`.
    pub fn unit(mut self, unit: impl AsRef<[u8]>) -> Self {
        self.0.set("unit", string(unit));
        self
    }
}

/// A node of [`ToBool`](Ops::to_bool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ToBool<'a>(Node<'a>);

/// A node of [`UnicodeDecode`](Ops::unicode_decode) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnicodeDecode<'a>(Node<'a>);

impl UnicodeDecode<'_> {
    /// Handling of invalid input. One of `"strict"`, `"replace"`, `"ignore"`. Default: `"replace"`.
    pub fn errors(mut self, errors: impl AsRef<[u8]>) -> Self {
        self.0.set("errors", string(errors));
        self
    }

    /// Replacement for invalid input, as a code point. Default: `65533`.
    pub fn replacement_char(mut self, replacement_char: i64) -> Self {
        self.0.set("replacement_char", replacement_char);
        self
    }

    /// Whether to replace control characters as well. Default: `false`.
    pub fn replace_control_characters(mut self, replace_control_characters: bool) -> Self {
        self.0.set("replace_control_characters", replace_control_characters);
        self
    }

    /// Element type of the splits. Allowed: int32, int64. Default: int64.
    pub fn tsplits(mut self, tsplits: DType) -> Self {
        self.0.set("Tsplits", tsplits);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> UnicodeDecodeOutputs {
        let mut outputs = self.0.outputs();
        UnicodeDecodeOutputs { row_splits: outputs.one(), char_values: outputs.one() }
    }
}

/// The outputs of [`UnicodeDecode`](Ops::unicode_decode).
#[derive(Clone, Copy, Debug)]
pub struct UnicodeDecodeOutputs {
    /// A tensor of `Tsplits`.
    pub row_splits: Output,
    /// A tensor of int32.
    pub char_values: Output,
}

/// A node of [`UnicodeDecodeWithOffsets`](Ops::unicode_decode_with_offsets) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnicodeDecodeWithOffsets<'a>(Node<'a>);

impl UnicodeDecodeWithOffsets<'_> {
    /// Handling of invalid input. One of `"strict"`, `"replace"`, `"ignore"`. Default: `"replace"`.
    pub fn errors(mut self, errors: impl AsRef<[u8]>) -> Self {
        self.0.set("errors", string(errors));
        self
    }

    /// Replacement for invalid input, as a code point. Default: `65533`.
    pub fn replacement_char(mut self, replacement_char: i64) -> Self {
        self.0.set("replacement_char", replacement_char);
        self
    }

    /// Whether to replace control characters as well. Default: `false`.
    pub fn replace_control_characters(mut self, replace_control_characters: bool) -> Self {
        self.0.set("replace_control_characters", replace_control_characters);
        self
    }

    /// Element type of the splits. Allowed: int32, int64. Default: int64.
    pub fn tsplits(mut self, tsplits: DType) -> Self {
        self.0.set("Tsplits", tsplits);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> UnicodeDecodeWithOffsetsOutputs {
        let mut outputs = self.0.outputs();
        UnicodeDecodeWithOffsetsOutputs { row_splits: outputs.one(), char_values: outputs.one(), char_to_byte_starts: outputs.one() }
    }
}

/// The outputs of [`UnicodeDecodeWithOffsets`](Ops::unicode_decode_with_offsets).
#[derive(Clone, Copy, Debug)]
pub struct UnicodeDecodeWithOffsetsOutputs {
    /// A tensor of `Tsplits`.
    pub row_splits: Output,
    /// A tensor of int32.
    pub char_values: Output,
    /// A tensor of int64.
    pub char_to_byte_starts: Output,
}

/// A node of [`UnicodeEncode`](Ops::unicode_encode) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnicodeEncode<'a>(Node<'a>);

impl UnicodeEncode<'_> {
    /// Handling of invalid code points. One of `"ignore"`, `"replace"`, `"strict"`. Default: `"replace"`.
    pub fn errors(mut self, errors: impl AsRef<[u8]>) -> Self {
        self.0.set("errors", string(errors));
        self
    }

    /// Replacement for invalid code points. Default: `65533`.
    pub fn replacement_char(mut self, replacement_char: i64) -> Self {
        self.0.set("replacement_char", replacement_char);
        self
    }
}

/// A node of [`UnicodeScript`](Ops::unicode_script) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnicodeScript<'a>(Node<'a>);

/// A node of [`UnicodeTranscode`](Ops::unicode_transcode) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnicodeTranscode<'a>(Node<'a>);

impl UnicodeTranscode<'_> {
    /// Handling of invalid input. One of `"strict"`, `"replace"`, `"ignore"`. Default: `"replace"`.
    pub fn errors(mut self, errors: impl AsRef<[u8]>) -> Self {
        self.0.set("errors", string(errors));
        self
    }

    /// Replacement for invalid input, as a code point. Default: `65533`.
    pub fn replacement_char(mut self, replacement_char: i64) -> Self {
        self.0.set("replacement_char", replacement_char);
        self
    }

    /// Whether to replace control characters as well. Default: `false`.
    pub fn replace_control_characters(mut self, replace_control_characters: bool) -> Self {
        self.0.set("replace_control_characters", replace_control_characters);
        self
    }
}

/// A node of [`UnsortedSegmentJoin`](Ops::unsorted_segment_join) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnsortedSegmentJoin<'a>(Node<'a>);

impl UnsortedSegmentJoin<'_> {
    /// Separator. Default: `""`.
    pub fn separator(mut self, separator: impl AsRef<[u8]>) -> Self {
        self.0.set("separator", string(separator));
        self
    }
}

common! {
    AsString
    DecodeBase64
    DecodeCSV
    DecodePaddedRaw
    DecodeRaw
    EncodeBase64
    Fingerprint
    ReduceJoin
    RegexFullMatch
    RegexReplace
    StaticRegexFullMatch
    StaticRegexReplace
    StringFormat
    StringJoin
    StringLength
    StringLower
    StringNGrams
    StringSplit
    StringSplitV2
    StringStrip
    StringToHashBucket
    StringToHashBucketFast
    StringToHashBucketStrong
    StringToNumber
    StringUpper
    Substr
    ToBool
    UnicodeDecode
    UnicodeDecodeWithOffsets
    UnicodeEncode
    UnicodeScript
    UnicodeTranscode
    UnsortedSegmentJoin
}

one_output! {
    AsString
    DecodeBase64
    DecodePaddedRaw
    DecodeRaw
    EncodeBase64
    Fingerprint
    ReduceJoin
    RegexFullMatch
    RegexReplace
    StaticRegexFullMatch
    StaticRegexReplace
    StringFormat
    StringJoin
    StringLength
    StringLower
    StringStrip
    StringToHashBucket
    StringToHashBucketFast
    StringToHashBucketStrong
    StringToNumber
    StringUpper
    Substr
    ToBool
    UnicodeEncode
    UnicodeScript
    UnicodeTranscode
    UnsortedSegmentJoin
}
