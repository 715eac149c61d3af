//! Convolutions and transposed convolutions, channels first.

use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] =
    &[op("Conv", &[1, 11, 22], conv), op("ConvTranspose", &[1, 11, 22], transposed)];

/// The attributes of a window, one value for each spatial axis.
pub(super) struct Window {
    pub strides: Vec<i64>,
    pub dilations: Vec<i64>,
    /// Padding before and after each axis.
    pub pads: Vec<(i64, i64)>,
    pub auto_pad: String,
}

impl Window {
    pub fn of(cx: &Cx<'_, '_>, spatial: usize) -> Result<Window> {
        let list = |name: &str, n: usize, default: i64| {
            let list = cx.ints(name)?.filter(|list| !list.is_empty()).unwrap_or_else(|| vec![default; n]);
            match list.len() == n {
                true => Ok(list),
                false => {
                    let error = Error::invalid("a list has the wrong length").attr(name);
                    Err(error.expected(format!("{n} numbers")).found(format!("{} numbers", list.len())))
                }
            }
        };
        let pads = list("pads", 2 * spatial, 0)?;
        let auto_pad = cx.text_or("auto_pad", "NOTSET")?;
        if !matches!(&auto_pad[..], "NOTSET" | "VALID" | "SAME_UPPER" | "SAME_LOWER") {
            let error = Error::invalid("an attribute has an invalid value").attr("auto_pad");
            return Err(error.expected("NOTSET, VALID, SAME_UPPER or SAME_LOWER").found(auto_pad));
        }
        Ok(Window {
            strides: list("strides", spatial, 1)?,
            dilations: list("dilations", spatial, 1)?,
            pads: (0..spatial).map(|i| (pads[i], pads[spatial + i])).collect(),
            auto_pad,
        })
    }

    /// The distance from the first to the last tap, plus one.
    fn reach(&self, i: usize, kernel: i64) -> i64 {
        (kernel - 1) * self.dilations[i] + 1
    }
}

/// Values for batch, channels and the spatial axes; `front` for the first two.
fn with_front(front: i64, spatial: &[i64]) -> Vec<i64> {
    [front, front].into_iter().chain(spatial.iter().copied()).collect()
}

/// The number of spatial axes for an op of the library: 1-D becomes 2-D.
fn lifted(spatial: usize) -> usize {
    spatial.max(2)
}

fn check_spatial(spatial: usize) -> Result<()> {
    match spatial {
        1..=3 => Ok(()),
        _ => Err(Error::unimplemented("convolutions have 1, 2 or 3 spatial axes").found(spatial)),
    }
}

fn conv(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, w) = (cx.input(0)?, cx.input(1)?);
    let rank = cx.rank(&w).map_or_else(|| cx.rank_needed(&x), Ok)?;
    let spatial = rank.saturating_sub(2);
    check_spatial(spatial)?;
    let mut window = Window::of(cx, spatial)?;
    let mut x = x;
    let mut padding = match &window.auto_pad[..] {
        "SAME_UPPER" => "SAME",
        "VALID" => "VALID",
        _ => "EXPLICIT",
    };
    if padding == "VALID" {
        window.pads.fill((0, 0));
    }
    if window.auto_pad == "SAME_LOWER" {
        x = padded_before(cx, &x, &w, &window)?;
        padding = "VALID";
    }
    if padding == "EXPLICIT" && window.pads.iter().all(|pad| *pad == (0, 0)) {
        padding = "VALID";
    }
    let mut order: Vec<usize> = (2..rank).chain([1, 0]).collect();
    let mut filter = w;
    if spatial == 1 {
        x = cx.expand(&x, 2)?;
        filter = cx.expand(&filter, 2)?;
        order = vec![2, 3, 1, 0];
        window.strides.insert(0, 1);
        window.dilations.insert(0, 1);
        window.pads.insert(0, (0, 0));
    }
    let filter = cx.transpose(&filter, &order)?;
    let flat = lifted(spatial) == 2;
    let groups = cx.int_or("group", 1)?;
    let (strides, dilations) = (with_front(1, &window.strides), with_front(1, &window.dilations));
    let pads: Vec<i64> = [0; 4].into_iter().chain(window.pads.iter().flat_map(|(a, b)| [*a, *b])).collect();
    let explicit = if padding == "EXPLICIT" { pads } else { Vec::new() };
    let node = cx.node(if flat { "Conv2D" } else { "Conv" }).input(&x).input(&filter);
    let node = node.attr("strides", strides).attr("dilations", dilations).attr("explicit_paddings", explicit);
    let node = node.text("padding", padding);
    let mut y = match flat {
        true => node.text("data_format", "NCHW").add()?,
        false => node.text("data_format", "CHANNELS_FIRST").attr("groups", groups).add()?,
    };
    if let Some(bias) = cx.optional(2) {
        y = cx.node("BiasAdd").input(&y).input(&bias).text("data_format", "NCHW").add()?;
    }
    Ok(vec![if spatial == 1 { cx.squeeze(&y, &[2])? } else { y }])
}

/// The input padded for `SAME_LOWER`: with the odd element before.
fn padded_before(cx: &mut Cx<'_, '_>, x: &Val, w: &Val, window: &Window) -> Result<Val> {
    let mut pairs = vec![cx.i64(0)?, cx.i64(0)?, cx.i64(0)?, cx.i64(0)?];
    let (zero, two) = (cx.i64(0)?, cx.i64(2)?);
    for (i, &stride) in window.strides.iter().enumerate() {
        let (size, kernel) = (cx.size_of(x, i as i64 + 2)?, cx.size_of(w, i as i64 + 2)?);
        let by = cx.i64(stride)?;
        let more = cx.plus_number(&size, (stride - 1) as f64)?;
        let windows = cx.op("FloorDiv", &[&more, &by])?;
        let steps = cx.plus_number(&windows, -1.0)?;
        let steps = cx.times(&steps, &by)?;
        let reach = cx.plus_number(&kernel, -1.0)?;
        let reach = cx.times_number(&reach, window.dilations[i] as f64)?;
        let needed = cx.plus(&steps, &reach)?;
        let needed = cx.plus_number(&needed, 1.0)?;
        let total = cx.minus(&needed, &size)?;
        let total = cx.op("Maximum", &[&total, &zero])?;
        let after = cx.op("FloorDiv", &[&total, &two])?;
        let before = cx.minus(&total, &after)?;
        pairs.extend([before, after]);
    }
    let pairs = cx.pack(&pairs)?;
    let (pairs, value) = (cx.reshape(&pairs, &[-1, 2])?, cx.scalar_like(x, 0.0)?);
    cx.op("PadV2", &[x, &pairs, &value])
}

/// Runs the gradient of a convolution without padding, and crops the padding from its result.
fn transposed(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, w) = (cx.input(0)?, cx.input(1)?);
    let rank = cx.rank(&w).map_or_else(|| cx.rank_needed(&x), Ok)?;
    let spatial = rank.saturating_sub(2);
    check_spatial(spatial)?;
    let window = Window::of(cx, spatial)?;
    let groups = cx.int_or("group", 1)?;
    let extra = cx.ints("output_padding")?.filter(|list| !list.is_empty()).unwrap_or_else(|| vec![0; spatial]);
    let wanted = cx.ints("output_shape")?.filter(|list| !list.is_empty());
    // Some exporters include batch and channels.
    let wanted = wanted.map(|list| if list.len() == rank { list[2..].to_vec() } else { list });
    if extra.len() != spatial || wanted.as_ref().is_some_and(|list| list.len() != spatial) {
        return Err(Error::invalid("a list has the wrong length").attr("output_padding").expected(spatial));
    }
    let channels = cx.size_of(&w, 1)?;
    let channels = cx.times_number(&channels, groups as f64)?;
    let batch = cx.size_of(&x, 0)?;
    // The sizes that windows cover, and the part of them that is the result: where it begins, and its size.
    let (mut covered, mut begins, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    let (zero, two) = (cx.i64(0)?, cx.i64(2)?);
    for (i, &more) in extra.iter().enumerate() {
        let (size, kernel) = (cx.size_of(&x, i as i64 + 2)?, cx.size_of(&w, i as i64 + 2)?);
        let stride = window.strides[i];
        let steps = cx.plus_number(&size, -1.0)?;
        let steps = cx.times_number(&steps, stride as f64)?;
        let reach = match cx.ints_of(&kernel) {
            Some(kernel) => cx.i64(window.reach(i, kernel[0]))?,
            None => {
                let reach = cx.plus_number(&kernel, -1.0)?;
                let reach = cx.times_number(&reach, window.dilations[i] as f64)?;
                cx.plus_number(&reach, 1.0)?
            }
        };
        let full = cx.plus(&steps, &reach)?;
        let with_extra = cx.plus_number(&full, more as f64)?;
        let same = window.auto_pad.starts_with("SAME");
        let output = match (&wanted, same) {
            (Some(wanted), _) => Some(cx.i64(wanted[i])?),
            (None, true) => Some(cx.times_number(&size, stride as f64)?),
            (None, false) => None,
        };
        let (begin, size) = match output {
            Some(output) => {
                let total = cx.minus(&with_extra, &output)?;
                let total = cx.op("Maximum", &[&total, &zero])?;
                let half = cx.op("FloorDiv", &[&total, &two])?;
                let begin = match window.auto_pad == "SAME_UPPER" {
                    true => half,
                    false => cx.minus(&total, &half)?,
                };
                (begin, output)
            }
            None => {
                let (before, after) = if window.auto_pad == "VALID" { (0, 0) } else { window.pads[i] };
                let size = cx.plus_number(&with_extra, -(before + after) as f64)?;
                (cx.i64(before)?, size)
            }
        };
        covered.push(full);
        begins.push(begin);
        sizes.push(size);
    }
    let (mut image, mut filter, mut order) = (x.clone(), w, (2..rank).chain([1, 0]).collect::<Vec<_>>());
    let (mut strides, mut dilations, mut full) = (window.strides.clone(), window.dilations.clone(), covered.clone());
    if spatial == 1 {
        image = cx.expand(&image, 2)?;
        filter = cx.expand(&filter, 2)?;
        order = vec![2, 3, 1, 0];
        strides.insert(0, 1);
        dilations.insert(0, 1);
        full.insert(0, cx.i64(1)?);
    }
    let filter = cx.transpose(&filter, &order)?;
    let mut dims = vec![batch.clone(), channels.clone()];
    dims.extend(full);
    let dims = cx.pack(&dims)?;
    let flat = spatial < 3;
    let dims = cx.cast(&dims, DType::I32)?;
    let mut y = match flat {
        true => {
            let node = cx.node("Conv2DBackpropInput").input(&dims).input(&filter).input(&image);
            let node = node.attr("strides", with_front(1, &strides)).attr("dilations", with_front(1, &dilations));
            node.text("padding", "VALID").text("data_format", "NCHW").add()?
        }
        false => volumes(cx, &dims, &filter, &image, groups, [&strides, &dilations])?,
    }
    .like(&x);
    if spatial == 1 {
        y = cx.squeeze(&y, &[2])?;
    }
    y = placed(cx, &y, &covered, &begins, &sizes)?;
    if let Some(bias) = cx.optional(2) {
        y = cx.node("BiasAdd").input(&y).input(&bias).text("data_format", "NCHW").add()?;
    }
    Ok(vec![y])
}

/// The gradient of a convolution of volumes; the library's op does not support groups, so they are computed one by one.
fn volumes(
    cx: &mut Cx<'_, '_>,
    dims: &Val,
    filter: &Val,
    image: &Val,
    groups: i64,
    [strides, dilations]: [&[i64]; 2],
) -> Result<Val> {
    if !(1..=1 << 12).contains(&groups) {
        return Err(Error::invalid("the number of groups is invalid").attr("group").found(groups));
    }
    // Images have their channels on axis 1, filters on the last axis; the sizes are those of one group's result.
    let (mut images, mut filters, mut sizes) = (vec![image.clone()], vec![filter.clone()], dims.clone());
    if groups > 1 {
        let (first, last) = (cx.i32(1)?, cx.i32(-1)?);
        images = cx.node("Split").input(&first).input(image).attr("num_split", groups).all()?;
        filters = cx.node("Split").input(&last).input(filter).attr("num_split", groups).all()?;
        let divisor = cx.constant(Tensor::vector(vec![1, groups as i32, 1, 1, 1]))?;
        sizes = cx.op("FloorDiv", &[dims, &divisor])?;
    }
    let mut results = Vec::new();
    for (image, filter) in images.iter().zip(&filters) {
        let node = cx.node("Conv3DBackpropInputV2").input(&sizes).input(filter).input(image);
        let node = node.attr("strides", with_front(1, strides)).attr("dilations", with_front(1, dilations));
        results.push(node.text("padding", "VALID").text("data_format", "NCDHW").add()?.like(image));
    }
    cx.concat(&results, 1)
}

/// The part of these sizes that begins at `begins` along the spatial axes, with zeros past the end.
fn placed(cx: &mut Cx<'_, '_>, y: &Val, covered: &[Val], begins: &[Val], sizes: &[Val]) -> Result<Val> {
    let known = |cx: &mut Cx<'_, '_>, vals: &[Val]| {
        vals.iter().map(|val| cx.ints_of(val).map(|v| v[0])).collect::<Option<Vec<i64>>>()
    };
    let whole = known(cx, begins).is_some_and(|all| all.iter().all(|&b| b == 0));
    let (own, wanted) = (known(cx, covered), known(cx, sizes));
    let same = covered == sizes || (own.is_some() && own == wanted);
    if whole && same {
        return Ok(y.clone());
    }
    let zero = cx.i64(0)?;
    let mut pairs = vec![zero.clone(); 4];
    let mut is_short = false;
    for ((covered, begin), size) in covered.iter().zip(begins).zip(sizes) {
        let end = cx.plus(begin, size)?;
        let more = cx.minus(&end, covered)?;
        let more = cx.op("Maximum", &[&more, &zero])?;
        is_short |= cx.ints_of(&more).is_none_or(|more| more[0] > 0);
        pairs.extend([zero.clone(), more]);
    }
    let mut y = y.clone();
    if is_short {
        let pairs = cx.pack(&pairs)?;
        let (pairs, value) = (cx.reshape(&pairs, &[-1, 2])?, cx.scalar_like(&y, 0.0)?);
        y = cx.op("PadV2", &[&y, &pairs, &value])?;
    }
    let all = cx.i64(-1)?;
    let begins: Vec<Val> = [zero.clone(), zero].into_iter().chain(begins.iter().cloned()).collect();
    let sizes: Vec<Val> = [all.clone(), all].into_iter().chain(sizes.iter().cloned()).collect();
    let (begins, sizes) = (cx.pack(&begins)?, cx.pack(&sizes)?);
    cx.op("Slice", &[&y, &begins, &sizes])
}
