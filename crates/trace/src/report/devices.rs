//! How devices with queues of their own spent their time.

use super::order::{micros, short};
use super::table;
use crate::device::{DeviceEvent, Track, Work};
use crate::event::StepTrace;
use std::collections::BTreeMap;

/// The number of kernels that the text lists for a device.
const TOP: usize = 10;

/// Copies in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CopyTimes {
    /// Number of copies.
    pub copies: usize,
    /// Total bytes.
    pub bytes: u64,
    /// Nanoseconds in which at least one of them ran.
    pub busy_ns: u64,
}

impl CopyTimes {
    /// Bytes per second while copies ran.
    pub fn bandwidth(&self) -> f64 {
        if self.busy_ns == 0 { 0.0 } else { self.bytes as f64 * 1e9 / self.busy_ns as f64 }
    }
}

/// The activity of a device in some steps.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeviceTimes {
    /// Its full name.
    pub device: String,
    /// Total duration of the steps in nanoseconds.
    pub wall_ns: u64,
    /// Nanoseconds in which it was busy.
    pub busy_ns: u64,
    /// Nanoseconds in which programs or copies within its memory ran.
    pub compute_ns: u64,
    /// Number of tracks on which they ran.
    pub streams: usize,
    /// Copies from the host.
    pub copies_in: CopyTimes,
    /// Copies to the host.
    pub copies_out: CopyTimes,
    /// Copies from other devices.
    pub peer_copies: CopyTimes,
    /// Nanoseconds in which copies from or to the host or another device ran.
    pub copying_ns: u64,
    /// Nanoseconds of these in which programs ran at the same time.
    pub overlap_ns: u64,
    /// Median of the times that work spent in a queue.
    pub queueing_median_ns: u64,
    /// Maximum of these times.
    pub queueing_max_ns: u64,
    /// The maximum number of pieces of work that were queued or running at a time.
    pub deepest: usize,
    /// Programs by name, most expensive first: runs and nanoseconds.
    pub kernels: Vec<(String, usize, u64)>,
    /// True if the times are those observed by the host.
    pub approximate: bool,
    /// The largest error of the clock.
    pub error_ns: u64,
}

/// Merges time ranges into a sorted list of ranges that neither overlap nor touch.
fn union(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut all: Vec<(u64, u64)> = Vec::new();
    for (start, end) in ranges {
        match all.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => all.push((start, end)),
        }
    }
    all
}

fn length(ranges: &[(u64, u64)]) -> u64 {
    ranges.iter().map(|(start, end)| end - start).sum()
}

/// The total time covered by both.
fn common(a: &[(u64, u64)], b: &[(u64, u64)]) -> u64 {
    let (mut i, mut j, mut sum) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        sum += x.1.min(y.1).saturating_sub(x.0.max(y.0));
        if x.1 < y.1 { i += 1 } else { j += 1 }
    }
    sum
}

/// The activity of each device in all steps, by name.
pub fn device_times(steps: &[StepTrace]) -> Vec<DeviceTimes> {
    let mut devices: BTreeMap<&str, DeviceTimes> = BTreeMap::new();
    let mut queueing: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    let mut kernels: BTreeMap<(&str, &str), (usize, u64)> = BTreeMap::new();
    let mut tracks: BTreeMap<&str, Vec<Track>> = BTreeMap::new();
    for step in steps {
        let mut by_device: BTreeMap<&str, Vec<&DeviceEvent>> = BTreeMap::new();
        for event in &step.device_events {
            by_device.entry(&event.device).or_default().push(event);
            queueing.entry(&event.device).or_default().push(event.queueing_ns());
            if let Work::Kernel { name } = &event.work {
                let kernel = kernels.entry((&event.device, name)).or_default();
                *kernel = (kernel.0 + 1, kernel.1 + event.duration_ns());
            }
            let tracks = tracks.entry(&event.device).or_default();
            if !event.track.is_copies() && !tracks.contains(&event.track) {
                tracks.push(event.track);
            }
        }
        for (device, events) in by_device {
            add(devices.entry(device).or_default(), &events);
        }
    }
    let wall_ns = steps.iter().map(|s| s.wall_ns).sum();
    let finish = |(device, mut times): (&str, DeviceTimes)| {
        let mut queueing = queueing.remove(device).unwrap_or_default();
        queueing.sort_unstable();
        times.queueing_median_ns = queueing.get(queueing.len() / 2).copied().unwrap_or(0);
        times.queueing_max_ns = queueing.last().copied().unwrap_or(0);
        times.streams = tracks.get(device).map_or(0, Vec::len);
        let own = kernels.iter().filter(|((d, _), _)| *d == device);
        times.kernels = own.map(|((_, name), &(runs, ns))| ((*name).to_owned(), runs, ns)).collect();
        times.kernels.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
        DeviceTimes { device: device.to_owned(), wall_ns, ..times }
    };
    devices.into_iter().map(finish).collect()
}

/// Adds a device's events of one step.
fn add(times: &mut DeviceTimes, events: &[&DeviceEvent]) {
    let ranges = |which: &dyn Fn(&Work) -> bool| {
        union(events.iter().filter(|e| which(&e.work)).map(|e| (e.start_ns, e.end_ns.max(e.start_ns))).collect())
    };
    let on_device = |w: &Work| matches!(w, Work::Kernel { .. } | Work::Copy { .. });
    let (compute, copying) = (ranges(&on_device), ranges(&|w| !on_device(w)));
    times.busy_ns += length(&ranges(&|_| true));
    times.compute_ns += length(&compute);
    times.copying_ns += length(&copying);
    times.overlap_ns += common(&compute, &copying);
    type Is = fn(&Work) -> bool;
    let directions: [(&mut CopyTimes, Is); 3] = [
        (&mut times.copies_in, |w| matches!(w, Work::CopyIn { .. })),
        (&mut times.copies_out, |w| matches!(w, Work::CopyOut { .. })),
        (&mut times.peer_copies, |w| matches!(w, Work::PeerCopy { .. })),
    ];
    for (copies, is_it) in directions {
        copies.busy_ns += length(&ranges(&is_it));
        for event in events.iter().filter(|e| is_it(&e.work)) {
            copies.copies += 1;
            copies.bytes += event.work.bytes().unwrap_or(0);
        }
    }
    let changes = events.iter().flat_map(|e| [(e.queued_ns, 1i64), (e.end_ns.max(e.queued_ns), -1)]);
    let mut changes: Vec<(u64, i64)> = changes.collect();
    changes.sort_unstable();
    let mut depth = 0;
    for (_, change) in changes {
        depth += change;
        times.deepest = times.deepest.max(usize::try_from(depth).unwrap_or(0));
    }
    times.approximate |= events.iter().any(|e| e.approximate);
    times.error_ns = events.iter().map(|e| e.error_ns).fold(times.error_ns, u64::max);
}

/// [`device_times`] as text; empty if no device has a queue of its own.
pub fn devices_text(steps: &[StepTrace]) -> String {
    let mut texts: Vec<String> = device_times(steps).iter().map(text).collect();
    let lost: u64 = steps.iter().map(|s| s.device_events_lost).sum();
    if lost > 0 {
        texts.push(format!("the times of {lost} more pieces of work are unknown\n"));
    }
    texts.join("\n")
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64)
}

fn text(times: &DeviceTimes) -> String {
    let mut out = format!(
        "{}: busy {} us of {} us ({}), computing {} us on {}{}\n",
        short(&times.device),
        micros(times.busy_ns),
        micros(times.wall_ns),
        percent(times.busy_ns, times.wall_ns),
        micros(times.compute_ns),
        if times.streams == 1 { "1 stream".to_owned() } else { format!("{} streams", times.streams) },
        if times.approximate { "; times as the host saw them" } else { "" },
    );
    let rows = [("in", times.copies_in), ("out", times.copies_out), ("from peers", times.peer_copies)];
    for (name, copies) in rows.iter().filter(|(_, c)| c.copies > 0) {
        out += &format!(
            "  copies {name}: {}, {} bytes in {} us, {:.2} GB/s\n",
            copies.copies,
            copies.bytes,
            micros(copies.busy_ns),
            copies.bandwidth() / 1e9
        );
    }
    if times.copying_ns > 0 {
        out += &format!("  copies while computing: {}\n", percent(times.overlap_ns, times.copying_ns));
    }
    out += &format!(
        "  queueing: median {} us, at most {} us, up to {} pieces of work\n",
        micros(times.queueing_median_ns),
        micros(times.queueing_max_ns),
        times.deepest
    );
    if times.error_ns > 0 {
        out += &format!("  the device's clock is accurate to {} us\n", micros(times.error_ns));
    }
    let all: u64 = times.kernels.iter().map(|k| k.2).sum();
    let rows = times.kernels.iter().take(TOP).map(|(name, runs, ns)| {
        [name.clone(), runs.to_string(), micros(*ns), percent(*ns, all), micros(ns / (*runs).max(1) as u64)]
    });
    if all > 0 {
        let table = table::format(["kernel", "runs", "total us", "", "mean us"], "lrrrr", rows);
        out.extend(table.lines().map(|line| format!("  {line}\n")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_add_up() {
        let ranges = union(vec![(5, 9), (0, 3), (2, 4), (9, 10)]);
        assert_eq!(ranges, [(0, 4), (5, 10)]);
        assert_eq!(length(&ranges), 9);
        assert_eq!(common(&ranges, &[(3, 6), (8, 20)]), 4);
        assert_eq!(common(&ranges, &[]), 0);
    }
}
