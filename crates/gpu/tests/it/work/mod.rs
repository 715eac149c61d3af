//! Random work of several steps on devices, compared with the same work done sequentially.

use levada_gpu::backend::{Launch, Piece};
use levada_gpu::ir::{Access, Builder};
use levada_gpu::memory::{Chunk, Pool};
use levada_gpu::{Backend, Prepared};
use levada_graph::{DType, Result, Shape, Tensor};
use levada_kernel::{Scope, lane};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

pub const LEN: usize = 6;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// `z = 3 x + y + number`, and `z = z + x`.
pub fn programs() -> [Arc<Prepared>; 2] {
    let mut b = Builder::new("mix");
    b.group_size(8);
    let (x, y) = (b.buffer(DType::U32, Access::Read), b.buffer(DType::U32, Access::Read));
    let z = b.buffer(DType::U32, Access::Write);
    let (size, number) = (b.param_u32(), b.param_u32());
    b.for_each(&size, |b, i| b.store(z, &i, b.load(x, &i) * 3u32 + b.load(y, &i) + &number));
    let mix = b.finish();
    let mut b = Builder::new("add");
    b.group_size(8);
    let (x, z) = (b.buffer(DType::U32, Access::Read), b.buffer(DType::U32, Access::Write));
    let size = b.param_u32();
    b.for_each(&size, |b, i| b.store(z, &i, b.load(z, &i) + b.load(x, &i)));
    let add = b.finish();
    [Arc::new(Prepared::new(mix)), Arc::new(Prepared::new(add))]
}

pub fn piece(chunk: &Arc<Chunk>) -> Piece {
    Piece { block: chunk.block.clone(), first: 0 }
}

pub fn tensor(values: &[u32]) -> Tensor {
    Tensor::vector(values.to_vec())
}

/// Reads of a block, with the expected values.
pub type Reads = Vec<(Vec<u32>, Receiver<Result<Tensor>>)>;

pub fn read(backend: &Arc<dyn Backend>, chunk: &Arc<Chunk>, expected: &[u32], reads: &mut Reads) {
    let (send, receive) = channel();
    let like = Tensor::zeros(DType::U32, Shape::vector(LEN));
    backend.read(&chunk.block, 0, like, Box::new(move |read| drop(send.send(read))));
    reads.push((expected.to_vec(), receive));
}

/// Does `turns` random operations on two devices, which may be the same, and checks the contents of all blocks in the
/// end and in between. With `peers` some are copies from one to the other.
pub fn random_work(devices: &[Arc<dyn Backend>; 2], seed: u64, turns: u32, peers: bool) {
    let [mix, add] = programs();
    let node: Arc<str> = "n".into();
    let random = &mut Random(seed);
    let devices = devices.each_ref().map(|backend| {
        let limit = if seed.is_multiple_of(3) { 256 * 10 } else { usize::MAX };
        (backend.clone(), Pool::new("gpu".into(), backend.clone(), Some(limit)))
    });
    let scopes: Vec<Arc<Scope>> = (0..5).map(|_| Arc::default()).collect();
    let mut reads = Reads::new();
    // For each device, blocks with their expected contents.
    let mut blocks: [Vec<(Arc<Chunk>, Vec<u32>)>; 2] = [Vec::new(), Vec::new()];
    for turn in 0..turns {
        let _step = lane::enter(Some(scopes[random.below(scopes.len())].clone()));
        let d = if random.below(4) == 0 { 1 } else { 0 };
        let (backend, pool) = &devices[d];
        if blocks[d].len() < 3 {
            let chunk = pool.alloc(LEN * 4, &node).unwrap();
            let values: Vec<u32> = (0..LEN as u32).map(|i| i + turn).collect();
            backend.write(&chunk.block, tensor(&values), Box::new(|r| r.unwrap()));
            blocks[d].push((chunk, values));
            continue;
        }
        let n = blocks[d].len();
        let (x, y, z) = (random.below(n), random.below(n), random.below(n));
        match random.below(9) {
            0..=2 => {
                let out = match random.below(2) {
                    // A new block, as for most nodes.
                    0 if n < 6 => {
                        blocks[d].push((pool.alloc(LEN * 4, &node).unwrap(), vec![0; LEN]));
                        n
                    }
                    _ => z,
                };
                let buffers = [x, y, out].map(|i| piece(&blocks[d][i].0));
                let params = [LEN as u32, turn];
                let launch = Launch { program: &mix, groups: 1, buffers: &buffers, params: &params, node: &node };
                backend.launch(launch).unwrap();
                let values = (0..LEN).map(|i| {
                    let (x, y) = (blocks[d][x].1[i], blocks[d][y].1[i]);
                    x.wrapping_mul(3).wrapping_add(y).wrapping_add(turn)
                });
                blocks[d][out].1 = values.collect();
            }
            3 => {
                let buffers = [x, z].map(|i| piece(&blocks[d][i].0));
                let params = [LEN as u32];
                let launch = Launch { program: &add, groups: 1, buffers: &buffers, params: &params, node: &node };
                backend.launch(launch).unwrap();
                let added = blocks[d][x].1.clone();
                blocks[d][z].1.iter_mut().zip(added).for_each(|(z, x)| *z = z.wrapping_add(x));
            }
            4 => {
                let values: Vec<u32> = (0..LEN as u32).map(|i| i * turn).collect();
                backend.write(&blocks[d][z].0.block, tensor(&values), Box::new(|r| r.unwrap()));
                blocks[d][z].1 = values;
            }
            5 if x != z => {
                let (from, to) = (blocks[d][x].0.block.clone(), blocks[d][z].0.block.clone());
                backend.copy(&from, 0, &to, 0, LEN * 4).unwrap();
                blocks[d][z].1 = blocks[d][x].1.clone();
            }
            6 if blocks[1 - d].len() > 2 && peers => {
                let (from, values) = blocks[1 - d][0].clone();
                let peer = &devices[1 - d].0;
                let peer = &**peer.inner().unwrap_or(peer);
                let to = &blocks[d][z].0.block;
                backend.copy_from_peer(to, peer, &from.block, 0, LEN * 4).unwrap().unwrap();
                blocks[d][z].1 = values;
            }
            // The pool hands the memory out again.
            7 => drop(blocks[d].swap_remove(x)),
            _ => {
                let (chunk, values) = &blocks[d][x];
                read(backend, chunk, values, &mut reads);
            }
        }
    }
    for (i, (backend, _)) in devices.iter().enumerate() {
        blocks[i].iter().for_each(|(chunk, values)| read(backend, chunk, values, &mut reads));
        backend.synchronize().unwrap();
    }
    for (i, (expected, found)) in reads.into_iter().enumerate() {
        let found = found.recv().unwrap().unwrap();
        assert_eq!(found.slice::<u32>().unwrap(), expected, "read {i} with seed {seed}");
    }
}
