//! Ops on strings.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{hash, prelude, text};

#[cfg(feature = "regex")]
mod regex;
mod unicode;

family! {
    as_string: AsString;
    base64: DecodeBase64, EncodeBase64;
    decode_csv: DecodeCSV;
    decode_raw: DecodePaddedRaw, DecodeRaw;
    elementwise: StringLower, StringStrip, StringUpper;
    format: StringFormat;
    hash_bucket: StringToHashBucket, StringToHashBucketFast, StringToHashBucketStrong;
    join: StringJoin;
    length: StringLength;
    ngrams: StringNGrams;
    reduce_join: ReduceJoin;
    #[cfg(feature = "regex")]
    regex_ops: RegexFullMatch, RegexReplace, StaticRegexFullMatch, StaticRegexReplace;
    segment_join: UnsortedSegmentJoin;
    split: StringSplit, StringSplitV2;
    substr: Substr;
    to_bool: ToBool;
    to_number: StringToNumber;
    unicode_decode: UnicodeDecode, UnicodeDecodeWithOffsets;
    unicode_encode: UnicodeEncode;
    unicode_script: UnicodeScript;
    unicode_transcode: UnicodeTranscode;
}
