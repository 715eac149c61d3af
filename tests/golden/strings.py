"""Ops on strings, and the log output of tensors."""

from record import case, fed, write

NAN, INF = float("nan"), float("inf")
TEXTS = ["", "a", "  padded\t\n", "aé€😀b", "UPPER lower"]


def raw(name, op, error=None, **arguments):
    """A case of one op; arguments that are (value, dtype) pairs or strings of inputs are fed, others are attrs."""

    def build(tf, v1):
        given = {k: fed(*v) if isinstance(v, tuple) else v for k, v in arguments.items()}
        out = getattr(tf.raw_ops, op)(**given)
        return list(out) if isinstance(out, (tuple, list)) else out

    case(f"{op}/{name}", build, error=error)


def s(value):
    return (value, "string")


WRONG = "INVALID_ARGUMENT"
FLOATS = [0.1, 1 / 3, -2.5, 12345.678, 1e10, NAN, INF, -INF, 0.0, -0.0, 1e-7, 100000.0, 1000000.0]
FORMATS = [{}, {"shortest": True}, {"scientific": True}, {"precision": 2}, {"precision": 0}, {"width": 12},
           {"precision": 3, "shortest": True}, {"precision": 0, "scientific": True}, {"precision": 40}]
FILLS = [{"width": 12, "fill": fill} for fill in "0- +#"] + [{"fill": "+"}, {"fill": " "}, {"precision": 0, "fill": "#"},
         {"precision": 3, "fill": "#", "shortest": True}]
for dtype in ["float32", "float64", "float16", "bfloat16"]:
    values = [v for v in FLOATS if v not in (1e10, 1000000.0, 100000.0)] if dtype == "float16" else FLOATS
    for i, attrs in enumerate(FORMATS + FILLS):
        if i < 3 or dtype == "float32":
            raw(f"{dtype}/{i}", "AsString", input=(values, dtype), **attrs)
for dtype in ["int8", "int32", "int64", "uint8", "uint64", "bool"]:
    values = [True, False] if dtype == "bool" else [0, 5] if dtype.startswith("u") else [-1, 5]
    for i, attrs in enumerate([{}, {"width": 5}] + [{"width": 5, "fill": fill} for fill in "0- +#"]):
        if i > 1 and dtype not in ("int32", "uint64"):
            continue
        raw(f"{dtype}/{i}", "AsString", input=(values, dtype), **attrs)
    raw(f"{dtype}/precision", "AsString", WRONG, input=(values, dtype), precision=3)
    raw(f"{dtype}/scientific", "AsString", WRONG, input=(values, dtype), scientific=True)
raw("uint64/large", "AsString", input=([2**64 - 1], "uint64"))
for i, attrs in enumerate([{}, {"width": 5}, {"width": 5, "fill": "-"}, {"precision": 2, "width": 4}]):
    raw(f"string/{i}", "AsString", input=s(["ab", "", "abcdef"]), **attrs)
for dtype in ["complex64", "complex128"]:
    for i, attrs in enumerate([{}, {"width": 8, "fill": "-"}, {"shortest": True}, {"precision": 3}]):
        raw(f"{dtype}/{i}", "AsString", input=([1 + 2j, complex(0.1, INF)], dtype), **attrs)
for i, attrs in enumerate([dict(), dict(width=0), dict(width=6), dict(fill="-"), dict(shortest=True)]):
    raw(f"string/precision/{i}", "AsString", input=s(["abcdef", "2.5"]), precision=1, **attrs)
raw("both_notations", "AsString", WRONG, input=([1.0], "float32"), scientific=True, shortest=True)
raw("fill_of_two", "AsString", WRONG, input=([1.0], "float32"), fill="00")
raw("fill_unknown", "AsString", WRONG, input=([1.0], "float32"), fill="a")

for op in ["StringLower", "StringUpper"]:
    raw("ascii", op, input=s(TEXTS))
    raw("utf8", op, input=s(["Aé€ßİıΑΣ", "ΟΔΟΣ", "ǆŉﬃ", b"\xff\xc3A"]), encoding="utf-8")
    raw("unknown", op, WRONG, input=s(TEXTS), encoding="latin1")
raw("all", "StringStrip", input=s([" a \t\n\v\f\r ", "\xa0a ", "", "  ", "a b"]))
for unit in ["BYTE", "UTF8_CHAR"]:
    raw(unit, "StringLength", input=s(TEXTS), unit=unit)
    for pos in [0, 1, 4, 5, -1, -5]:
        raw(f"{unit}/{pos}", "Substr", input=s("aé€😀b"), pos=([pos] * 3, "int32"), len=([0, 1, 9], "int32"), unit=unit)
    raw(f"{unit}/past_the_end", "Substr", WRONG, input=s("ab"), pos=(3, "int32"), len=(1, "int32"), unit=unit)
    raw(f"{unit}/before_the_start", "Substr", WRONG, input=s("ab"), pos=(-3, "int32"), len=(1, "int32"), unit=unit)
    raw(f"{unit}/negative_length", "Substr", input=s("hello"), pos=(1, "int64"), len=(-1, "int64"), unit=unit)
    raw(f"{unit}/elementwise", "Substr", input=s(["ab", "cde"]), pos=([0, 1], "int32"), len=([1, 2], "int32"), unit=unit)
    raw(f"{unit}/broadcast", "Substr", input=s([["ab"], ["cde"]]), pos=([0, 1], "int32"), len=([1, 2], "int32"), unit=unit)
    raw(f"{unit}/broadcast_string", "Substr", input=s("abcd"), pos=([0, 1], "int32"), len=([1, 2], "int32"), unit=unit)
raw("three_axes", "Substr", "UNIMPLEMENTED", input=s([[["ab"]]]), pos=([0, 1], "int32"), len=([1, 2], "int32"))
raw("shapes", "Substr", WRONG, input=s(["ab", "cd", "ef"]), pos=([0, 1], "int32"), len=([1, 2], "int32"))
raw("pos_and_len", "Substr", WRONG, input=s(["ab"]), pos=([0, 1], "int32"), len=(1, "int32"))
raw("nothing", "Substr", input=s([]), pos=(5, "int32"), len=(1, "int32"))

for dtype in ["float32", "float64", "int32", "int64", "uint32", "uint64"]:
    numbers = ["1", "  1 ", "+1", "1\t", "\n7"]
    if dtype.startswith("float"):
        numbers += ["-1", "1e3", "1e400", "inf", "-Infinity", "nan", "INF", "0x10", "1.", ".5", "1e-400", "-0"]
    elif dtype.startswith("int"):
        numbers += ["-1", "-2147483648", "-0"]
    raw(dtype, "StringToNumber", string_tensor=s(numbers), out_type=dtype)
    for i, wrong in enumerate(["", "  ", "1 2", "1_0", "1e", "--1", "1f", "infinit", "1x"]):
        if dtype not in ("float32", "int32"):
            continue
        raw(f"{dtype}/wrong/{i}", "StringToNumber", WRONG, string_tensor=s([wrong]), out_type=dtype)
raw("too_large", "StringToNumber", WRONG, string_tensor=s(["2147483648"]), out_type="int32")
raw("negative", "StringToNumber", WRONG, string_tensor=s(["-1"]), out_type="uint32")

case("StringJoin/nothing", lambda tf, v1: tf.raw_ops.StringJoin(inputs=[]))
case("StringJoin/scalars", lambda tf, v1: tf.raw_ops.StringJoin(
    inputs=[fed("a"), fed(["x", "y"]), fed(["1", "2"])], separator="-"))
for what, inputs in {"sizes": [["a", "b"], ["x"]], "ranks": [["a"], [["x"]]]}.items():
    case(f"StringJoin/{what}", lambda tf, v1: tf.raw_ops.StringJoin(inputs=[fed(i) for i in inputs]), error=WRONG)

for i, (text, delimiter, skip) in enumerate([
        (["a b", "c"], " ", True), (["a  b", ""], " ", False), (["a,b;c"], ",;", True), (["abc", "d"], "", True),
        (["abc", ""], "", False), ([""], ",;", False), ([], " ", True), (["a b "], " ", False)]):
    raw(str(i), "StringSplit", input=s(text), delimiter=s(delimiter), skip_empty=skip)
raw("scalar", "StringSplit", WRONG, input=s("a b"), delimiter=s(" "))
raw("delimiters", "StringSplit", WRONG, input=s(["a b"]), delimiter=s([" "]))
for i, (text, sep, most) in enumerate([
        (["a b", "c", ""], "", -1), ([" a  b\t\n ", "c"], "", 1), (["a"], "", 1), (["a b c d "], "", 2),
        (["a,,b,", ""], ",", -1), (["a,,b,"], ",", 1), (["a,,b,"], ",", 0), (["  a "], "", 0), (["a<>b<>c<"], "<>", -1),
        ([], ",", -1), (["a,b"], ",", -2), (["aaa"], "aa", -1)]):
    raw(str(i), "StringSplitV2", input=s(text), sep=s(sep), maxsplit=most)
raw("scalar", "StringSplitV2", WRONG, input=s("a b"), sep=s(" "))
raw("separators", "StringSplitV2", WRONG, input=s(["a b"]), sep=s([" "]))

GRID = [[["a", "b", "c"], ["d", "e", "f"]], [["g", "h", "i"], ["j", "k", "l"]]]
for axes in [0, 1, -1, [0, 1], [1, 0], [2, 0], [0, 1, 2], [2, 1, 0], [], [-3, -1], [[1]]]:
    for keep in [False, True]:
        raw(f"{axes}/{keep}", "ReduceJoin", inputs=s(GRID), reduction_indices=(axes, "int32"), keep_dims=keep, separator="-")
raw("nothing", "ReduceJoin", inputs=s([[], []]), reduction_indices=(1, "int32"))
raw("no_rows", "ReduceJoin", inputs=s([[], []]), reduction_indices=(0, "int32"))
raw("duplicate", "ReduceJoin", WRONG, inputs=s(GRID), reduction_indices=([0, -3], "int32"))
raw("out_of_range", "ReduceJoin", "OUT_OF_RANGE", inputs=s(GRID), reduction_indices=(3, "int32"))

PAIRS = [["a", "b"], ["c", "d"]]


def segments(name, inputs, ids, count, error=None):
    raw(name, "UnsortedSegmentJoin", error, inputs=s(inputs), segment_ids=(ids, "int64"), num_segments=(count, "int32"),
        separator=":")


segments("vector", ["a", "b", "c"], [0, 1, 0], 3)
segments("rows", PAIRS, [1, 0], 2)
segments("elements", PAIRS, [[0, 1], [1, 0]], 2)
segments("nothing", [], [], 2)
segments("above", PAIRS, [0, 2], 2, WRONG)
segments("negative", PAIRS, [0, -1], 2, WRONG)
segments("sizes", PAIRS, [0], 2, WRONG)
segments("scalar", PAIRS, 0, 2, WRONG)
segments("counts", PAIRS, [0, 0], [2], WRONG)
segments("negative_count", PAIRS, [0, 0], -1, WRONG)
segments("rank", PAIRS, [[[0, 0]]], 2, "OUT_OF_RANGE")

REPLACED = [("aaa", "a", "b"), ("abc", "", "-"), ("a€c", "x*", "-"), ("abc", "(b)(c)", r"\2\1"), ("abc", "(b)", r"\2"),
            ("abc", "b", r"\\"), ("abc", "b", r"x\q"), ("a.b", r"\Q.\E", "x"), ("aéb", r"\w", "x"), ("a1b", r"[\d\s]", "x"),
            ("٣a", r"\d", "x"), ("a{b", "{", "x"), ("ab", "a{,2}", "x"), (b"\xffa", ".", "x"), ("a\nb", ".", "x"),
            ("a\nb", "a$", "x"), ("AbC", "(?i)abc", "x"), ("a&&b", "[&&b]", "x"), ("a[b", "[[b]", "x"), ("ab", r"\C", "x"),
            ("a-b", r"[\w-]", "x"), ("abab", "(?P<n>a)b", r"\1"), ("é", r"\xe9", "x"), ("a b", r"\b", "|"),
            ("ſ", "(?i)s", "x"), ("a_b", r"\_", "x"), ("a<b", r"\<", "x"), ("", "", "x"), ("aab", "a*?", "x"),
            ("ab", "(a)|b", r"[\1]"), ("a]b", "[]a]", "x"), ("xay", "[^a]", "-"), ("a5B", "[[:digit:][:upper:]]", "x")]
for i, (text, pattern, rewrite) in enumerate(REPLACED):
    for every in [True, False] if i < 8 else [True]:
        raw(f"{i}/{every}", "RegexReplace", input=s([text]), pattern=s(pattern), rewrite=s(rewrite), replace_global=every)
    if i < 5:
        raw(str(i), "StaticRegexReplace", input=s([text, "other"]), pattern=pattern, rewrite=rewrite)
BAD = ["(b", "b**", "a{1001}", "(?x)a", "(?=a)", r"\1", "a|*", "[a", "*", r"\h", "a{2}{3}", "(?P<1>a"]
for i, pattern in enumerate(BAD):
    raw(f"bad/{i}", "RegexReplace", WRONG, input=s("ab"), pattern=s(pattern), rewrite=s("x"))
    raw(f"bad/{i}", "StaticRegexFullMatch", WRONG, input=s("ab"), pattern=pattern)
raw("patterns", "RegexReplace", WRONG, input=s("ab"), pattern=s(["a"]), rewrite=s("x"))
raw("alternatives", "RegexFullMatch", input=s(["abc", "ab", "abcd", "ABC", ""]), pattern=s("a(b|bc)c?"))
raw("static", "StaticRegexFullMatch", input=s([["abc", "ab"], ["a\nb", "b"]]), pattern="(?s)a.*b")

HASHED = ["", "a", "hello", "x" * 7, "x" * 8, "x" * 16, "x" * 17, "x" * 33, "x" * 64, "x" * 65, "ab" * 100, "é€"]
raw("lengths", "StringToHashBucket", string_tensor=s(HASHED), num_buckets=2**62)
raw("lengths", "StringToHashBucketFast", input=s(HASHED), num_buckets=2**62)
raw("lengths", "StringToHashBucketStrong", input=s(HASHED), num_buckets=2**62, key=[98765, -3])
raw("few", "StringToHashBucketFast", input=s(HASHED), num_buckets=10)
raw("short_key", "StringToHashBucketStrong", WRONG, input=s(HASHED), num_buckets=10, key=[1])

for pad in [False, True]:
    raw(str(pad), "EncodeBase64", input=s(["", "a", "ab", "abc", "abcd", b"\xff\xfe\xfd\xfc"]), pad=pad)
raw("good", "DecodeBase64", input=s(["", "YQ", "YQ==", "YR==", "YR", "YWJj", "YWJ", "-_-_"]))
for i, wrong in enumerate(["Y", "YQ=", "YW J", "+/", "YQ==YQ==", "YQ==\n", "=", "====", "YQ==="]):
    raw(f"wrong/{i}", "DecodeBase64", WRONG, input=s(wrong))

for dtype in ["uint8", "int8", "int16", "uint16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
              "complex64", "complex128"]:
    for little in [True, False]:
        raw(f"{dtype}/{little}", "DecodeRaw", bytes=s([bytes(range(1, 17)), bytes(range(16))]), out_type=dtype,
            little_endian=little)
raw("bool", "DecodeRaw", bytes=s(b"\0\1\1\0"), out_type="bool")
raw("nothing", "DecodeRaw", bytes=s([]), out_type="int32")
raw("empty", "DecodeRaw", bytes=s(["", ""]), out_type="int32")
raw("lengths", "DecodeRaw", WRONG, bytes=s(["abc", "abcd"]), out_type="uint8")
raw("size", "DecodeRaw", WRONG, bytes=s(["abc"]), out_type="int32")
for dtype in ["uint8", "int16", "float32"]:
    for little in [True, False]:
        raw(f"{dtype}/{little}", "DecodePaddedRaw", input_bytes=s([b"abc", b"abcdefghijk", b""]), fixed_length=(8, "int32"),
            out_type=dtype, little_endian=little)
for length in [3, 0, -2, [4]]:
    raw(f"length/{length}", "DecodePaddedRaw", WRONG, input_bytes=s([b"abc"]), fixed_length=(length, "int32"), out_type="int16")


def ngrams(name, splits, error=None, data=("a", "b", "c", "d"), **attrs):
    attrs = {"separator": "|", "ngram_widths": [2], "left_pad": "L", "right_pad": "R", "pad_width": -1,
             "preserve_short_sequences": False, **attrs}
    raw(name, "StringNGrams", error, data=s(list(data)), data_splits=(splits, "int64"), **attrs)


ngrams("row", [0, 4])
ngrams("rows", [0, 1, 1, 4])
ngrams("widths", [0, 1, 4], ngram_widths=[1, 3])
for pads in [0, 1, 5, -5]:
    ngrams(f"pads/{pads}", [0, 1, 4], ngram_widths=[3], pad_width=pads)
ngrams("short", [0, 1, 1, 4], ngram_widths=[3, 4], pad_width=0, preserve_short_sequences=True)
ngrams("short_padded", [0, 1, 1, 4], ngram_widths=[5], pad_width=1, preserve_short_sequences=True)
ngrams("no_widths", [0, 4], ngram_widths=[])
ngrams("no_data", [0], data=())
ngrams("nothing", [], data=())
ngrams("past_the_end", [0, 5], WRONG)
ngrams("falling", [0, 3, 2, 4], WRONG)
ngrams("first", [1, 4], WRONG)
ngrams("last", [0, 3], WRONG)
ngrams("zero_width", [0, 4], WRONG, ngram_widths=[0])

for encoding in ["UTF-8", "UTF-16-BE", "UTF-32-BE"]:
    raw(encoding, "UnicodeEncode", input_values=([72, 101, 0x20AC, 0x1F600, 0], "int32"), input_splits=([0, 2, 2, 5], "int64"),
        output_encoding=encoding)
    for errors in ["replace", "ignore"]:
        raw(f"{encoding}/{errors}", "UnicodeEncode", input_values=([72, 0xD800, 0x110000, -1, 0xFFFE, 0x10FFFF], "int32"),
            input_splits=([0, 6], "int32"), output_encoding=encoding, errors=errors, replacement_char=63)
raw("strict", "UnicodeEncode", WRONG, input_values=([72, -1], "int32"), input_splits=([0, 2], "int64"),
    output_encoding="UTF-8", errors="strict")
raw("replacement", "UnicodeEncode", WRONG, input_values=([72], "int32"), input_splits=([0, 1], "int64"),
    output_encoding="UTF-8", replacement_char=0x110000)
for i, (values, splits) in enumerate([([1], [0, 2]), ([1], [1, 1]), ([1, 2], [0, 2, 1]), ([1, 2], [0, 1]), ([], []),
                                      ([[1]], [0, 1]), ([1], [[0, 1]]), ([1, 2, 3], [0, 3, 2, 3])]):
    raw(f"splits/{i}", "UnicodeEncode", WRONG, input_values=(values, "int32"), input_splits=(splits, "int64"),
        output_encoding="UTF-8")

FAULTY = b"a\xe2\x82Ab\xf0\x9f\x98c\xed\xa0\x80d\xc0\x80e\xf5f\xe2\x82"
DECODED = {"UTF-8": [[b"a\xe2\x82\xac", "😀é".encode()], [b"", FAULTY]], "UTF-16": [b"\xfe\xff\0a\xd8=\xde\0", b"\0b", b"\xff\xfea\0"],
           "UTF-16-BE": [b"\xfe\xff\0a\xd8=\xde\0\xd8=\0b\xde\0\0c\0"], "UTF-16-LE": [b"a\0=\xd8\0\xde"],
           "UTF-32-BE": [b"\0\0\0a\0\x01\xf6\0\0\x11\0\0\0\0\xd8\0\0\0"], "UTF-32": [b"\0\0\xfe\xff\0\0\0a"],
           "ISO-8859-1": [b"a\xe9\x80"], "US-ASCII": [b"a\xe9\x80"], "windows-1252": [b"a\xe9\x80"], "utf8": ["aé"],
           "shift_jis": [b"a\x82\xa0\x82"], "EUC-JP": [b"a\xa4\xa2"], "GBK": [b"\xc4\xe3"], "KOI8-R": [b"\xb0\xa1"],
           "gb18030": [b"\xb0\xa1\x81\x30\x81\x30"], "big5": [b"\xa4\xa4a"], "euc_kr": [b"\xb0\xa1a"], "ISO-8859-5": [b"\xb0\xa1"]}
for encoding, strings in DECODED.items():
    raw(encoding, "UnicodeDecodeWithOffsets", input=s(strings), input_encoding=encoding)
    raw(encoding, "UnicodeTranscode", input=s(strings), input_encoding=encoding, output_encoding="UTF-16-BE")
for errors in ["replace", "ignore", "strict"]:
    error = WRONG if errors == "strict" else None
    for op in ["UnicodeDecode", "UnicodeDecodeWithOffsets"]:
        raw(f"faulty/{errors}", op, error, input=s([FAULTY, b"xy"]), input_encoding="UTF-8", errors=errors,
            Tsplits="int32" if op == "UnicodeDecode" else "int64")
        raw(f"controls/{errors}", op, input=s([b"a\x01\x1f \n"]), input_encoding="UTF-8", errors=errors,
            replace_control_characters=True, replacement_char=65)
    raw(f"faulty/{errors}", "UnicodeTranscode", error, input=s([FAULTY, b"ok"]), input_encoding="UTF-8",
        output_encoding="UTF-8", errors=errors)
    raw(f"controls/{errors}", "UnicodeTranscode", error, input=s([b"a\x01\x1f \n"]), input_encoding="UTF-8",
        output_encoding="UTF-8", errors=errors, replace_control_characters=True)
for encoding in ["nonsense", ""]:
    raw(f"unknown/{encoding}", "UnicodeDecode", WRONG, input=s([b"a"]), input_encoding=encoding)
raw("only_a_mark", "UnicodeDecodeWithOffsets", input=s([b"\xfe\xff"]), input_encoding="UTF-16")
raw("nothing", "UnicodeDecode", input=s([]), input_encoding="UTF-8")


raw("scripts", "UnicodeScript", input=([0, 65, 0x3B1, 0x4E00, 0x3042, 0x30A2, 0x1F600, 0x5D0, 0x627, 0xE01, -1, 0x110000,
                                        0xD800, 0x300, 0x20AC, 0x1100], "int32"))


def csv(name, records, defaults, error=None, **attrs):
    case(f"DecodeCSV/{name}", lambda tf, v1: list(tf.raw_ops.DecodeCSV(
        records=fed(records, "string"), record_defaults=[fed(*d) for d in defaults], **attrs)), error=error)


COLUMNS = [([0.5], "float32"), ([0.25], "float64"), ([-1], "int32"), ([-2], "int64"), (["none"], "string")]
csv("dtypes", ["1,2,3,4,five", ",,,,", " 1 ,1e3,-3, 4 , x ", "nan,inf,0,9223372036854775807,"], COLUMNS)
csv("scalar", "1,2,3,4,five", COLUMNS)
csv("quotes", ['"a","b ""c"" d"', '"x,y",z', '"",q'], COLUMNS[4:] * 2)
csv("line_ends", ["\na,b", "a,\r\nb"], COLUMNS[4:] * 2)
csv("no_quotes", ['"a",b"c', "a,"], COLUMNS[4:] * 2, use_quote_delim=False)
csv("tabs", ["a\tb", "a,b\tc"], COLUMNS[4:] * 2, field_delim="\t")
csv("na", ["NA,NA", "1,NA"], [([7], "int32"), (["none"], "string")], na_value="NA")
csv("select", ["1,2,3", "4,5,6", "7,8,"], [([0], "int32"), ([9], "int32")], select_cols=[0, 2])
csv("default_scalar", [",x"], [(5, "int32"), ("none", "string")])
csv("nothing", [], COLUMNS)
csv("missing", [",1"], [([], "int32"), ([1], "int32")], WRONG)
csv("not_a_number", ["a,1"], [([1], "int32"), ([1], "int32")], WRONG)
csv("too_large", ["2147483648"], [([1], "int32")], WRONG)
csv("too_few", ["1"], [([1], "int32"), ([1], "int32")], WRONG)
csv("too_many", ["1,2,3"], [([1], "int32"), ([1], "int32")], WRONG)
csv("empty_record", [""], [([1], "int32")], WRONG)
csv("quote_inside", ['a"b'], COLUMNS[4:], WRONG)
csv("quote_not_escaped", ['"a"b"'], COLUMNS[4:], WRONG)
csv("quote_not_closed", ['"a'], COLUMNS[4:], WRONG)
csv("line_end_inside", ["a\nb"], COLUMNS[4:], WRONG)
csv("delimiter", ["a"], COLUMNS[4:], WRONG, field_delim=",,")
csv("select_falling", ["a,b"], COLUMNS[4:] * 2, WRONG, select_cols=[1, 0])
csv("select_count", ["a,b"], COLUMNS[4:] * 2, WRONG, select_cols=[1])
csv("defaults", ["a"], [(["x", "y"], "string")], WRONG)

for dtype in ["float32", "float64", "float16", "bfloat16"]:
    case(f"StringFormat/{dtype}", lambda tf, v1: tf.raw_ops.StringFormat(
        inputs=[fed([v for v in FLOATS if v not in (1e10, 1000000.0, 100000.0) or dtype != "float16"], dtype)], summarize=100))
for dtype in ["bool", "int8", "uint8", "int64", "uint64", "complex64", "string"]:
    case(f"StringFormat/{dtype}", lambda tf, v1: tf.raw_ops.StringFormat(
        inputs=[fed(["a\n\"é'\t\\\0\x01", "b"] if dtype == "string" else [1, 0], dtype)]))
for summarize in [-1, 0, 1, 2, 3]:
    for shape in [[], [7], [2, 3], [4, 5, 3], [0], [2, 0], [0, 2]]:
        case(f"StringFormat/summarize/{summarize}/{shape}", lambda tf, v1: tf.raw_ops.StringFormat(
            inputs=[tf.reshape(tf.range(tf.reduce_prod(tf.constant(shape, tf.int32))), shape)], summarize=summarize))
case("StringFormat/template", lambda tf, v1: tf.raw_ops.StringFormat(
    inputs=[fed(1), fed("x"), fed(3.5)], template="a {} b {}{} c", placeholder="{}"))
case("StringFormat/no_place", lambda tf, v1: tf.raw_ops.StringFormat(inputs=[], template="no place", placeholder="{}"))
case("StringFormat/empty_placeholder", lambda tf, v1: tf.raw_ops.StringFormat(
    inputs=[fed(1), fed(2)], template="abc", placeholder=""))

for i, (value, dtype) in enumerate([("", "string"), ("a", "string"), (0, "int32"), (1, "int64"), (0.0, "float32"),
                                    (NAN, "float32"), ([], "float32"), ([0], "int32"), ([[]], "int32"), (True, "bool"),
                                    (2, "uint8")]):
    raw(str(i), "ToBool", input=(value, dtype))
for dtype in ["complex64", "bfloat16", "float16", "uint32"]:
    raw(dtype, "ToBool", WRONG, input=(1, dtype))


def asserts(name, condition, error=None):
    def build(tf, v1):
        passed = fed(1)
        done = tf.raw_ops.Assert(condition=fed(condition, "bool"), data=[fed([1, 2, 3, 4]), fed("text")])
        with tf.control_dependencies([done]):
            return tf.raw_ops.Identity(input=passed)

    case(f"Assert/{name}", build, error=error)


asserts("holds", True)
asserts("fails", False, WRONG)
asserts("vector", [True], WRONG)
for dtype in ["float16", "bfloat16", "float32", "float64"]:
    for op in ["CheckNumerics", "CheckNumericsV2"]:
        raw(dtype, op, tensor=([1.0, -2.0], dtype), message="checked")
        for what, value in {"nan": NAN, "inf": INF, "minus_inf": -INF}.items():
            raw(f"{dtype}/{what}", op, WRONG, tensor=([1.0, value], dtype), message="checked")
case("Print", lambda tf, v1: tf.raw_ops.Print(input=fed([1, 2]), data=[fed("x")], message="seen: "))

# Classes of characters by general category and script, as tokenizers use them.
LETTERS = ["aBΓ1é漢 x\u0301_", "A1\u00ad\ue000", "", "ǅʰ٣Ⅷ²€+«—\u2028"]
for i, pattern in enumerate([
        r"\p{Lu}", r"\pL", r"\PL", r"\p{Greek}", r"\P{Lu}", r"\p{^Lu}", r"\P{^Lu}", r"[\p{Lu}\d]+", r"\pN\p{Latin}", r"\p{Any}",
        r"[^\p{L}]", r"[\P{L}x]", r"[^\PLx]", r"\p{Han}", r"[[:^alpha:]\pL]", r"\p{C}", r"\P{C}", r"\p{Cs}", r"\P{Cs}", r"\p{M}+",
        r"\p{P}|\p{S}", r"\p{Zl}", r"[\p{Nd}\p{Nl}\p{No}]", r"\p{Lt}|\p{Lm}", r"\p{Co}"]):
    case(f"RegexReplace/property/{i}", lambda tf, v1, pattern=pattern: tf.raw_ops.RegexReplace(
        input=fed(LETTERS, "string"), pattern=fed(pattern, "string"), rewrite=fed("<>", "string")))
for i, pattern in enumerate([r"\p{Foo}", r"\p{Lowercase}", r"\p{L&}", r"\p{Alphabetic}", r"\p{Lu", r"\p", r"\p{}", r"\pX", r"\p{lu}"]):
    case(f"RegexReplace/no_property/{i}", lambda tf, v1, pattern=pattern: tf.raw_ops.RegexReplace(
        input=fed(LETTERS, "string"), pattern=fed(pattern, "string"), rewrite=fed("<>", "string")), error="INVALID_ARGUMENT")


def variants(tf):
    list_ = tf.raw_ops.EmptyTensorList(element_shape=fed([], "int32"), max_num_elements=fed(-1), element_dtype=tf.float32)
    ragged = tf.raw_ops.RaggedTensorToVariant(
        rt_nested_splits=[fed([0, 1, 2], "int64")], rt_dense_values=fed([1, 2], "float32"), batched_input=False)
    sparse = tf.raw_ops.SerializeSparse(
        sparse_indices=fed([[0]], "int64"), sparse_values=fed([1.5]), sparse_shape=fed([2], "int64"), out_type=tf.variant)
    optional = tf.raw_ops.OptionalFromValue
    return {
        "list": list_, "lists": tf.stack([list_, list_]), "map": tf.raw_ops.EmptyTensorMap(), "ragged": ragged, "sparse": sparse,
        "none": tf.raw_ops.OptionalNone(), "optional": optional(components=[fed([[1.5, 2], [3, 4]])]),
        "optionals": optional(components=[fed(1), fed(["a", "b"], "string")]), "empty": optional(components=[fed([], "float64")]),
        "optional_map": optional(components=[tf.raw_ops.EmptyTensorMap()])}


for name in ["list", "lists", "map", "ragged", "sparse", "none", "optional", "optionals", "empty", "optional_map"]:
    case(f"AsString/variant/{name}", lambda tf, v1, name=name: tf.raw_ops.AsString(input=variants(tf)[name], width=3))
for name, attrs in {"precision": {"precision": 3}, "scientific": {"scientific": True}}.items():
    case(f"AsString/variant/{name}", lambda tf, v1, attrs=attrs: tf.raw_ops.AsString(input=variants(tf)["map"], **attrs),
         error="INVALID_ARGUMENT")

write(__file__)
