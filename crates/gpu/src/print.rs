//! Prints programs as WGSL and as CUDA C++.

use crate::ir::{Access, Bin, E, Node, Program, Stmt, Ty, Un};
use levada_graph::DType;
use std::fmt::Write;

/// A language that programs are printed in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// The shading language of WebGPU. Elements narrower than 32 bits are stored in words of 32 bits, since a word is
    /// the smallest unit that can be written.
    Wgsl,
    /// CUDA C++ without any header, for NVRTC.
    Cuda,
}

impl Language {
    /// Bytes of an element in a buffer; `None` for dtypes that programs do not support.
    pub fn element_size(self, dtype: DType) -> Option<usize> {
        let ty = Ty::of(dtype)?;
        Some(match self {
            Language::Wgsl => ty.bits() as usize / 8,
            Language::Cuda => dtype.size(),
        })
    }

    /// The program's source. Its entry point is called `main` in WGSL and has the program's name in CUDA.
    ///
    /// In WGSL, binding `i` of group 0 is buffer `i`, and the one after the last is a uniform of words, four to a
    /// vector: for each buffer the index of its first element, then the parameters. In CUDA the arguments are the
    /// buffers and then the parameters.
    pub fn print(self, program: &Program) -> String {
        let mut printer = Printer { language: self, program, out: String::new(), depth: 1 };
        match self {
            Language::Wgsl => {
                printer.wgsl();
                wgsl_functions(&printer.out) + &printer.out
            }
            Language::Cuda => {
                printer.cuda();
                printer.out
            }
        }
    }
}

struct Printer<'a> {
    language: Language,
    program: &'a Program,
    out: String,
    depth: usize,
}

/// Functions of WGSL programs; a program includes those that it calls, and those that they call.
///
/// `same_*` keep the compiler from evaluating constants, since it rejects overflow and NaN. Where the language leaves
/// the result of a function undefined, these return what the CPU does.
const WGSL: &[(&str, &str)] = &[
    (
        "to_bf16",
        "fn to_bf16(x: f32) -> f32 {
  let b = bitcast<u32>(x);
  if ((b & 0x7fffffffu) > 0x7f800000u) { return x; }
  return bitcast<f32>((b + 0x7fffu + ((b >> 16u) & 1u)) & 0xffff0000u);
}
",
    ),
    (
        "to_f16",
        "fn to_f16(x: f32) -> f32 {
  let b = bitcast<u32>(x);
  let m = b & 0x7fffffffu;
  if (m > 0x7f800000u) { return x; }
  if (m < 0x38800000u) { return round(x * 16777216.0) * 0.000000059604644775390625; }
  let r = (m + 0xfffu + ((m >> 13u) & 1u)) & 0xffffe000u;
  return bitcast<f32>((b & 0x80000000u) | select(r, 0x7f800000u, r > 0x477fe000u));
}
",
    ),
    (
        "i32_of",
        "fn i32_of(x: f32) -> i32 {
  if (is_nan(x)) { return 0i; }
  if (x >= 2147483648.0) { return 2147483647i; }
  return i32(x);
}
",
    ),
    (
        "u32_of",
        "fn u32_of(x: f32) -> u32 {
  if (is_nan(x)) { return 0u; }
  if (x >= 4294967296.0) { return 4294967295u; }
  return u32(x);
}
",
    ),
    (
        "i64_of",
        "fn i64_of(x: f32) -> i64 {
  if (is_nan(x)) { return 0li; }
  if (x >= 9223372036854775808.0) { return 9223372036854775807li; }
  return i64(x);
}
",
    ),
    (
        "u64_of",
        "fn u64_of(x: f32) -> u64 {
  if (is_nan(x)) { return 0lu; }
  if (x >= 18446744073709551616.0) { return 18446744073709551615lu; }
  return u64(x);
}
",
    ),
    ("sin_of", "fn sin_of(x: f32) -> f32 { return select(no_number(), sin(x), is_finite(x)); }\n"),
    ("cos_of", "fn cos_of(x: f32) -> f32 { return select(no_number(), cos(x), is_finite(x)); }\n"),
    ("tan_of", "fn tan_of(x: f32) -> f32 { return select(no_number(), tan(x), is_finite(x)); }\n"),
    ("asin_of", "fn asin_of(x: f32) -> f32 { return atan2_of(x, root_of(x)); }\n"),
    ("acos_of", "fn acos_of(x: f32) -> f32 { return atan2_of(root_of(x), x); }\n"),
    (
        "root_of",
        "fn root_of(x: f32) -> f32 { return select(no_number(), sqrt((1.0 - x) * (1.0 + x)), abs(x) <= 1.0); }\n",
    ),
    ("atan_of", "fn atan_of(x: f32) -> f32 { return atan2_of(x, 1.0); }\n"),
    (
        "atan2_of",
        "fn atan2_of(y: f32, x: f32) -> f32 {
  if (is_nan(x) || is_nan(y)) { return no_number(); }
  let low = min(abs(x), abs(y));
  let high = max(abs(x), abs(y));
  var angle = 0.0;
  if (high > 0.0) { angle = arc(select(low / high, 1.0, low == high)); }
  if (abs(y) > abs(x)) { angle = 1.57079632679 - angle; }
  if ((bitcast<u32>(x) & 0x80000000u) != 0u) { angle = 3.14159265359 - angle; }
  return bitcast<f32>(bitcast<u32>(angle) | (bitcast<u32>(y) & 0x80000000u));
}
",
    ),
    (
        "arc",
        "fn arc(x: f32) -> f32 {
  let far = x > 0.41421356237;
  let r = select(x, (x - 1.0) / (x + 1.0), far);
  let z = r * r;
  let p = (((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1) * z;
  return select(0.0, 0.78539816340, far) + (p * r + r);
}
",
    ),
    (
        "pow_of",
        "fn pow_of(x: f32, y: f32) -> f32 {
  if (y == 0.0 || x == 1.0) { return 1.0; }
  if (is_nan(x) || is_nan(y)) { return no_number(); }
  let grows = (x > 1.0) == (y > 0.0);
  if (x == 0.0 || !is_finite(x) || !is_finite(y)) { return select(0.0, float_of(0x7f800000u), grows); }
  return pow(x, y);
}
",
    ),
    (
        "tanh_of",
        "fn tanh_of(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let z = x * x;
  let p = (((-5.70498872745e-3 * z + 2.06390887954e-2) * z - 5.37397155531e-2) * z + 1.33314422036e-1) * z;
  let far = 1.0 - 2.0 / (exp(2.0 * min(abs(x), 20.0)) + 1.0);
  return select(sign(x) * far, x + x * z * (p - 3.33332819422e-1), abs(x) < 0.625);
}
",
    ),
    // Long division of the mantissas, which is exact.
    (
        "rem_of",
        "fn rem_of(x: f32, y: f32) -> f32 {
  let sign = bitcast<u32>(x) & 0x80000000u;
  let a = bitcast<u32>(x) & 0x7fffffffu;
  let b = bitcast<u32>(y) & 0x7fffffffu;
  if (a >= 0x7f800000u || b > 0x7f800000u || b == 0u) { return no_number(); }
  if (a < b) { return x; }
  var ea = max(i32(a >> 23u), 1i);
  var eb = max(i32(b >> 23u), 1i);
  var ma = (a & 0x7fffffu) | select(0u, 0x800000u, a >= 0x800000u);
  var mb = (b & 0x7fffffu) | select(0u, 0x800000u, b >= 0x800000u);
  while (mb < 0x800000u) { mb <<= 1u; eb -= 1i; }
  while (ea > eb) {
    if (ma >= mb) { ma -= mb; }
    ma <<= 1u;
    ea -= 1i;
  }
  if (ma >= mb) { ma -= mb; }
  if (ma == 0u) { return bitcast<f32>(sign); }
  while (ma < 0x800000u && ea > 1i) { ma <<= 1u; ea -= 1i; }
  if (ea < 1i) { ma >>= u32(1i - ea); }
  return bitcast<f32>(sign | select(ma, (u32(max(ea, 0i)) << 23u) | (ma & 0x7fffffu), ma >= 0x800000u));
}
",
    ),
    ("is_nan", "fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }\n"),
    ("is_finite", "fn is_finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) < 0x7f800000u; }\n"),
    ("no_number", "fn no_number() -> f32 { return float_of(0x7fc00000u); }\n"),
    ("float_of", "fn float_of(bits: u32) -> f32 { return bitcast<f32>(bits); }\n"),
    ("same_bool", "fn same_bool(x: bool) -> bool { return x; }\n"),
    ("same_i32", "fn same_i32(x: i32) -> i32 { return x; }\n"),
    ("same_u32", "fn same_u32(x: u32) -> u32 { return x; }\n"),
    ("same_i64", "fn same_i64(x: i64) -> i64 { return x; }\n"),
    ("same_u64", "fn same_u64(x: u64) -> u64 { return x; }\n"),
    ("same_f32", "fn same_f32(x: f32) -> f32 { return x; }\n"),
    ("same_f64", "fn same_f64(x: f64) -> f64 { return x; }\n"),
];

/// The functions that a WGSL program needs.
fn wgsl_functions(program: &str) -> String {
    let mut functions = String::new();
    for (name, source) in WGSL {
        let call = format!("{name}(");
        if program.contains(&call) || functions.contains(&call) {
            functions.push_str(source);
        }
    }
    functions
}

/// Functions included in every CUDA program.
const CUDA: &str = "\
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned short u16;
static __device__ __forceinline__ int i32_of(double x) { return x == x ? __double2int_rz(x) : 0; }
static __device__ __forceinline__ u32 u32_of(double x) { return x == x ? __double2uint_rz(x) : 0; }
static __device__ __forceinline__ i64 i64_of(float x) { return x == x ? __float2ll_rz(x) : 0; }
static __device__ __forceinline__ i64 i64_of(double x) { return x == x ? __double2ll_rz(x) : 0; }
static __device__ __forceinline__ u64 u64_of(float x) { return x == x ? __float2ull_rz(x) : 0; }
static __device__ __forceinline__ u64 u64_of(double x) { return x == x ? __double2ull_rz(x) : 0; }
static __device__ __forceinline__ float from_bf16(u16 h) { return __uint_as_float((u32)h << 16); }
static __device__ __forceinline__ u16 to_bf16(float x) {
  u32 b = __float_as_uint(x);
  if ((b & 0x7fffffffu) > 0x7f800000u) return (u16)((b >> 16) | 0x40u);
  return (u16)((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
}
static __device__ __forceinline__ float from_f16(u16 h) { float x; asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(x) : \"h\"(h)); return x; }
static __device__ __forceinline__ u16 to_f16(float x) { u16 h; asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h) : \"f\"(x)); return h; }
";

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let depth = self.depth;
        // Writing to a string does not fail.
        let _ = writeln!(self.out, "{:1$}{text}", "", depth * 2);
    }

    fn is_wgsl(&self) -> bool {
        self.language == Language::Wgsl
    }

    fn ty(&self, ty: Ty) -> &'static str {
        match (self.language, ty) {
            (_, Ty::Bool) => "bool",
            (Language::Wgsl, Ty::I32) => "i32",
            (Language::Cuda, Ty::I32) => "int",
            (_, Ty::U32) => "u32",
            (_, Ty::I64) => "i64",
            (_, Ty::U64) => "u64",
            (Language::Wgsl, Ty::F32) => "f32",
            (Language::Cuda, Ty::F32) => "float",
            (Language::Wgsl, Ty::F64) => "f64",
            (Language::Cuda, Ty::F64) => "double",
        }
    }

    /// The type of a buffer's elements.
    fn element(&self, dtype: DType, access: Access) -> String {
        match self.language {
            Language::Wgsl => {
                let ty = match Ty::of(dtype) {
                    Some(Ty::Bool) | None => "u32",
                    Some(Ty::F32) if access == Access::Atomic => "u32",
                    Some(ty) => self.ty(ty),
                };
                if access == Access::Atomic { format!("atomic<{ty}>") } else { ty.to_owned() }
            }
            Language::Cuda => match dtype {
                DType::F16 | DType::BF16 | DType::U16 => "u16",
                DType::I16 => "short",
                DType::I8 => "signed char",
                DType::U8 | DType::Bool => "unsigned char",
                _ => Ty::of(dtype).map_or("u32", |ty| self.ty(ty)),
            }
            .to_owned(),
        }
    }

    fn wgsl(&mut self) {
        let program = self.program;
        let count = program.buffers.len();
        for (i, &(dtype, access)) in program.buffers.iter().enumerate() {
            let element = self.element(dtype, access);
            let _ = writeln!(self.out, "@group(0) @binding({i}) var<storage, read_write> b{i}: array<{element}>;");
        }
        let words = (count + program.params.len()).div_ceil(4).max(1);
        let _ = writeln!(self.out, "@group(0) @binding({count}) var<uniform> p: array<vec4<u32>, {words}>;");
        for (i, &(ty, len)) in program.shared.iter().enumerate() {
            let ty = self.ty(ty);
            let _ = writeln!(self.out, "var<workgroup> s{i}: array<{ty}, {len}>;");
        }
        for (i, &(dtype, access)) in program.buffers.iter().enumerate() {
            if access == Access::Atomic && dtype == DType::F32 {
                let _ = writeln!(
                    self.out,
                    "fn add_b{i}(at: u32, x: f32) {{\n  var old = atomicLoad(&b{i}[at]);\n  loop {{\n    \
                     let swap = atomicCompareExchangeWeak(&b{i}[at], old, bitcast<u32>(bitcast<f32>(old) + x));\n    \
                     if (swap.exchanged) {{ break; }}\n    old = swap.old_value;\n  }}\n}}"
                );
            }
        }
        let _ = writeln!(
            self.out,
            "@compute @workgroup_size({})\nfn main(@builtin(local_invocation_index) local: u32, \
             @builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {{",
            program.group_size
        );
        self.stmts(&program.body);
        self.out.push_str("}\n");
    }

    fn cuda(&mut self) {
        let program = self.program;
        self.out.push_str(CUDA);
        let buffers = program.buffers.iter().enumerate().map(|(i, &(dtype, access))| {
            let element = self.element(dtype, access);
            if access == Access::Read { format!("const {element}* b{i}") } else { format!("{element}* b{i}") }
        });
        let params = program.params.iter().enumerate().map(|(i, &ty)| format!("{} p{i}", self.ty(ty)));
        let args: Vec<String> = buffers.chain(params).collect();
        let _ = writeln!(
            self.out,
            "extern \"C\" __global__ void __launch_bounds__({}) {}({}) {{",
            program.group_size,
            program.name,
            args.join(", ")
        );
        for (i, &(ty, len)) in program.shared.iter().enumerate() {
            let text = format!("__shared__ {} s{i}[{len}];", self.ty(ty));
            self.line(&text);
        }
        self.stmts(&program.body);
        self.out.push_str("}\n");
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn nested(&mut self, head: &str, body: &[Stmt]) {
        self.line(head);
        self.depth += 1;
        self.stmts(body);
        self.depth -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(var, value) => {
                let value_text = self.expr(value);
                let text = if self.is_wgsl() {
                    format!("var v{var}: {} = {value_text};", self.ty(value.ty))
                } else {
                    format!("{} v{var} = {value_text};", self.ty(value.ty))
                };
                self.line(&text);
            }
            Stmt::Set(var, value) => {
                let text = format!("v{var} = {};", self.expr(value));
                self.line(&text);
            }
            Stmt::Store(buffer, index, value) => {
                let dtype = self.program.buffers[buffer.0].0;
                let (index, value) = (self.at(buffer.0, index), self.stored(dtype, value));
                self.line(&format!("b{}[{index}] = {value};", buffer.0));
            }
            Stmt::StoreShared(array, index, value) => {
                let text = format!("s{}[{}] = {};", array.0, self.expr(index), self.expr(value));
                self.line(&text);
            }
            Stmt::AtomicAdd(buffer, index, value) => {
                let (b, index, value) = (buffer.0, self.at(buffer.0, index), self.expr(value));
                let text = match (self.language, self.program.buffers[b].0) {
                    (Language::Wgsl, DType::F32) => format!("add_b{b}({index}, {value});"),
                    (Language::Wgsl, _) => format!("atomicAdd(&b{b}[{index}], {value});"),
                    (Language::Cuda, _) => format!("atomicAdd(&b{b}[{index}], {value});"),
                };
                self.line(&text);
            }
            Stmt::If(condition, yes, no) => {
                let head = format!("if ({}) {{", self.expr(condition));
                self.nested(&head, yes);
                if !no.is_empty() {
                    self.nested("} else {", no);
                }
                self.line("}");
            }
            Stmt::For(var, start, end, step, body) => {
                let (start, end, step) = (self.expr(start), self.expr(end), self.expr(step));
                let declare = if self.is_wgsl() { "var" } else { "u32" };
                let head = format!("for ({declare} v{var} = {start}; v{var} < {end}; v{var} += {step}) {{");
                self.nested(&head, body);
                self.line("}");
            }
            Stmt::While(condition, body) => {
                let head = format!("while ({}) {{", self.expr(condition));
                self.nested(&head, body);
                self.line("}");
            }
            Stmt::Barrier => {
                let text = if self.is_wgsl() { "workgroupBarrier();" } else { "__syncthreads();" };
                self.line(text);
            }
        }
    }

    /// An index into a buffer.
    fn at(&self, buffer: usize, index: &E) -> String {
        let index = self.expr(index);
        if self.is_wgsl() { format!("{} + {index}", word(buffer)) } else { index }
    }

    /// A value as stored in a buffer of this dtype.
    fn stored(&self, dtype: DType, value: &E) -> String {
        let text = self.expr(value);
        if self.is_wgsl() {
            match dtype {
                DType::F16 => format!("to_f16({text})"),
                DType::BF16 => format!("to_bf16({text})"),
                DType::Bool => format!("u32({text})"),
                DType::I8 => format!("(({text}) << 24u) >> 24u"),
                DType::I16 => format!("(({text}) << 16u) >> 16u"),
                DType::U8 => format!("({text}) & 0xffu"),
                DType::U16 => format!("({text}) & 0xffffu"),
                _ => text,
            }
        } else {
            match dtype {
                DType::F16 => format!("to_f16({text})"),
                DType::BF16 => format!("to_bf16({text})"),
                DType::Bool => format!("({text}) ? 1 : 0"),
                DType::I8 => format!("(signed char)({text})"),
                DType::I16 => format!("(short)({text})"),
                DType::U8 => format!("(unsigned char)({text})"),
                DType::U16 => format!("(u16)({text})"),
                _ => text,
            }
        }
    }

    fn expr(&self, e: &E) -> String {
        let wgsl = self.is_wgsl();
        match &*e.node {
            Node::Const(bits) => self.constant(e.ty, *bits),
            Node::Param(i) if wgsl => {
                let word = word(self.program.buffers.len() + i);
                if e.ty == Ty::U32 { word } else { format!("bitcast<{}>({word})", self.ty(e.ty)) }
            }
            Node::Param(i) => format!("p{i}"),
            Node::Var(i) => format!("v{i}"),
            Node::Local => if wgsl { "local" } else { "threadIdx.x" }.to_owned(),
            Node::Group => if wgsl { "group.x" } else { "blockIdx.x" }.to_owned(),
            Node::Groups => if wgsl { "groups.x" } else { "gridDim.x" }.to_owned(),
            Node::Load(buffer, index) => {
                let dtype = self.program.buffers[buffer.0].0;
                let element = format!("b{}[{}]", buffer.0, self.at(buffer.0, index));
                match (dtype, self.language) {
                    (DType::Bool, _) => format!("({element} != 0{})", if wgsl { "u" } else { "" }),
                    (DType::F16, Language::Cuda) => format!("from_f16({element})"),
                    (DType::BF16, Language::Cuda) => format!("from_bf16({element})"),
                    (_, Language::Cuda) if e.ty.bits() as usize > dtype.size() * 8 => {
                        format!("({}){element}", self.ty(e.ty))
                    }
                    _ => element,
                }
            }
            Node::LoadShared(array, index) => format!("s{}[{}]", array.0, self.expr(index)),
            Node::Un(f, x) => self.un(*f, x),
            Node::Bin(f, a, b) => self.bin(*f, a, b),
            Node::Select(condition, yes, no) => {
                let (condition, yes, no) = (self.expr(condition), self.expr(yes), self.expr(no));
                if wgsl { format!("select({no}, {yes}, {condition})") } else { format!("({condition} ? {yes} : {no})") }
            }
            Node::Cast(x) => {
                let text = self.at_run_time(x);
                match (e.ty, x.ty) {
                    (Ty::Bool, Ty::Bool) => text,
                    // True for NaN, which compares as unequal to everything with every operator but this one.
                    (Ty::Bool, Ty::F32) if wgsl => format!("(!({text} == 0.0))"),
                    (to, Ty::F32) if wgsl && !to.is_float() => format!("{}_of({text})", self.ty(to)),
                    // Only the wide type of the same signedness extends signs.
                    (Ty::U64, Ty::I32) if wgsl => format!("u64(i64({text}))"),
                    (Ty::I64, Ty::U32) if wgsl => format!("i64(u64({text}))"),
                    (Ty::Bool, from) => format!("({text} != {})", self.constant(from, 0)),
                    // Out of range is undefined in C++.
                    (to, from) if !wgsl && from.is_float() && !to.is_float() => self.to_integer(to, from, &text),
                    (to, _) if wgsl => format!("{}({text})", self.ty(to)),
                    (to, _) => format!("(({})({text}))", self.ty(to)),
                }
            }
            Node::Bits(x) => {
                let text = self.at_run_time(x);
                match (e.ty, x.ty) {
                    (to, _) if wgsl => format!("bitcast<{}>({text})", self.ty(to)),
                    (Ty::F32, Ty::I32) => format!("__int_as_float({text})"),
                    (Ty::F32, _) => format!("__uint_as_float({text})"),
                    (Ty::I32, Ty::F32) => format!("__float_as_int({text})"),
                    (Ty::U32, Ty::F32) => format!("__float_as_uint({text})"),
                    (Ty::F64, _) => format!("__longlong_as_double((i64)({text}))"),
                    (to, Ty::F64) => format!("(({})__double_as_longlong({text}))", self.ty(to)),
                    (to, _) => format!("(({})({text}))", self.ty(to)),
                }
            }
        }
    }

    /// Out of range the instructions saturate. Those with 32 bits on both sides convert NaN to 0, and the others to the
    /// highest bit, which functions correct.
    fn to_integer(&self, to: Ty, from: Ty, text: &str) -> String {
        match (from, to) {
            (Ty::F32, Ty::I32) => format!("__float2int_rz({text})"),
            (Ty::F32, Ty::U32) => format!("__float2uint_rz({text})"),
            (_, Ty::I32) => format!("i32_of({text})"),
            (_, Ty::U32) => format!("u32_of({text})"),
            (_, Ty::I64) => format!("i64_of({text})"),
            _ => format!("u64_of({text})"),
        }
    }

    fn constant(&self, ty: Ty, bits: u64) -> String {
        let wgsl = self.is_wgsl();
        match ty {
            Ty::Bool => if bits != 0 { "true" } else { "false" }.to_owned(),
            Ty::U32 => format!("{}u", bits as u32),
            Ty::I32 if bits as u32 == 0x8000_0000 => {
                if wgsl { "bitcast<i32>(0x80000000u)" } else { "((int)0x80000000u)" }.to_owned()
            }
            Ty::I32 => format!("({}{})", bits as u32 as i32, if wgsl { "i" } else { "" }),
            Ty::U64 => format!("{bits}{}", if wgsl { "lu" } else { "ull" }),
            Ty::I64 if bits == 1 << 63 => {
                if wgsl { "(-9223372036854775807li - 1li)" } else { "((i64)(1ull << 63))" }.to_owned()
            }
            Ty::I64 => format!("({}{})", bits as i64, if wgsl { "li" } else { "ll" }),
            Ty::F32 => {
                let value = f32::from_bits(bits as u32);
                match (wgsl, value.is_normal() || bits == 0) {
                    (true, true) => format!("({value:?}f)"),
                    (true, false) => format!("float_of({}u)", bits as u32),
                    (false, true) => format!("({value:?}f)"),
                    (false, false) => format!("__uint_as_float({}u)", bits as u32),
                }
            }
            Ty::F64 => {
                let value = f64::from_bits(bits);
                if wgsl { format!("({value:?}lf)") } else { format!("__longlong_as_double((i64){bits}ull)") }
            }
        }
    }

    /// An expression that the compiler does not evaluate.
    fn at_run_time(&self, e: &E) -> String {
        let text = self.expr(e);
        match *e.node {
            Node::Const(_) if self.is_wgsl() => format!("same_{}({text})", self.ty(e.ty)),
            _ => text,
        }
    }

    fn un(&self, f: Un, x: &E) -> String {
        let text = self.at_run_time(x);
        let wgsl = self.is_wgsl();
        let name = match f {
            Un::Neg if x.ty == Ty::U32 || x.ty == Ty::U64 => return format!("({} - {text})", self.constant(x.ty, 0)),
            Un::Neg => return format!("(-({text}))"),
            Un::Not if x.ty == Ty::Bool => return format!("(!({text}))"),
            Un::Not => return format!("(~({text}))"),
            Un::Abs => match x.ty {
                Ty::U32 | Ty::U64 | Ty::Bool => return text,
                _ if wgsl => "abs",
                Ty::F32 => "fabsf",
                Ty::F64 => "fabs",
                _ => return format!("({text} < 0 ? -({text}) : ({text}))"),
            },
            Un::Exp => "exp",
            Un::Log => "log",
            Un::Sqrt => "sqrt",
            Un::Sin if wgsl => "sin_of",
            Un::Sin => "sin",
            Un::Cos if wgsl => "cos_of",
            Un::Cos => "cos",
            Un::Tan if wgsl => "tan_of",
            Un::Tan => "tan",
            Un::Asin if wgsl => "asin_of",
            Un::Asin => "asin",
            Un::Acos if wgsl => "acos_of",
            Un::Acos => "acos",
            Un::Atan if wgsl => "atan_of",
            Un::Atan => "atan",
            Un::Tanh if wgsl => "tanh_of",
            Un::Tanh => "tanh",
            Un::Floor => "floor",
            Un::Ceil => "ceil",
            Un::Trunc => "trunc",
            Un::Round if wgsl => "round",
            Un::Round => "rint",
        };
        // The float functions of CUDA end in f.
        let suffix = if !wgsl && x.ty == Ty::F32 && f != Un::Abs { "f" } else { "" };
        format!("{name}{suffix}({text})")
    }

    fn bin(&self, f: Bin, a: &E, b: &E) -> String {
        let constant = matches!((&*a.node, &*b.node), (Node::Const(_), Node::Const(_)));
        let (x, y) = (if constant { self.at_run_time(a) } else { self.expr(a) }, self.expr(b));
        let wgsl = self.is_wgsl();
        let operator = match f {
            Bin::Add => "+",
            Bin::Sub => "-",
            Bin::Mul => "*",
            Bin::Div => "/",
            Bin::Rem if !wgsl && a.ty == Ty::F32 => return format!("fmodf({x}, {y})"),
            Bin::Rem if !wgsl && a.ty == Ty::F64 => return format!("fmod({x}, {y})"),
            Bin::Rem if a.ty == Ty::F32 => return format!("rem_of({x}, {y})"),
            Bin::Rem => "%",
            Bin::And if a.ty == Ty::Bool => "&&",
            Bin::Or if a.ty == Ty::Bool => "||",
            Bin::Xor if a.ty == Ty::Bool => "!=",
            Bin::And => "&",
            Bin::Or => "|",
            Bin::Xor => "^",
            Bin::Shl | Bin::Shr => {
                let operator = if f == Bin::Shl { "<<" } else { ">>" };
                let y = if wgsl && b.ty != Ty::U32 { format!("u32({y})") } else { y };
                return format!("(({x}) {operator} ({y}))");
            }
            Bin::Eq => "==",
            // NaN differs from everything, but not with this operator.
            Bin::Ne if wgsl && a.ty == Ty::F32 => return format!("(!({x} == {y}))"),
            Bin::Ne => "!=",
            Bin::Lt => "<",
            Bin::Le => "<=",
            Bin::Min | Bin::Max | Bin::Pow | Bin::Atan2 => {
                let name = match (f, wgsl, a.ty) {
                    (Bin::Min, false, Ty::F32) => "fminf",
                    (Bin::Min, false, Ty::F64) => "fmin",
                    (Bin::Min, ..) => "min",
                    (Bin::Max, false, Ty::F32) => "fmaxf",
                    (Bin::Max, false, Ty::F64) => "fmax",
                    (Bin::Max, ..) => "max",
                    (Bin::Pow, false, Ty::F32) => "powf",
                    (Bin::Pow, ..) => "pow",
                    (_, false, Ty::F32) => "atan2f",
                    _ => "atan2",
                };
                // Drivers differ in precision and in the cases that the language leaves undefined.
                let own = wgsl && a.ty == Ty::F32 && matches!(f, Bin::Pow | Bin::Atan2);
                return format!("{name}{}({x}, {y})", if own { "_of" } else { "" });
            }
        };
        format!("({x} {operator} {y})")
    }
}

/// Word `i` of the uniform.
fn word(i: usize) -> String {
    format!("p[{}].{}", i / 4, ["x", "y", "z", "w"][i % 4])
}
