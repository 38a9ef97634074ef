//! Distribution of networks that are trained concurrently with Adam over the blocks of a GPU.

use crate::sonfin::cuda::layout::NetworkShape;

/// Consecutive blocks of a launch that train one network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sonfin) struct BlockGroup {
    pub(in crate::sonfin) network: usize,
    pub(in crate::sonfin) first_block: usize,
    pub(in crate::sonfin) blocks: usize,
}

/// Number of blocks from which the work to combine the results of one more block exceeds the work that it saves.
fn preferred_blocks(rules: usize, shape: &NetworkShape) -> usize {
    // Operations per sample: D and the gradients of a rule; reading the partial outputs of a block from the L2 cache.
    let (per_rule, per_block) = (6 * shape.dims + 3 * shape.outputs, 3 * (2 + shape.outputs));
    (((rules * per_rule) as f64 / per_block as f64).sqrt() as usize).clamp(1, rules)
}

/// Groups of each launch, for networks with these numbers of rules. A launch has at most `max_blocks` blocks, which are
/// distributed so that the largest number of rules per block is small.
pub(in crate::sonfin) fn block_groups(
    rules: &[usize],
    shape: &NetworkShape,
    max_blocks: usize,
) -> Vec<Vec<BlockGroup>> {
    let launch = |(i, rules): (usize, &[usize])| {
        let mut blocks = vec![1; rules.len()];
        for _ in rules.len()..max_blocks {
            let growable = (0..rules.len()).filter(|n| blocks[*n] < preferred_blocks(rules[*n], shape));
            let Some(n) = growable.max_by_key(|n| (rules[*n].div_ceil(blocks[*n]), rules[*n])) else { break };
            blocks[n] += 1;
        }
        let mut first_block = 0;
        let group = |(n, blocks): (usize, usize)| {
            first_block += blocks;
            BlockGroup { network: i * max_blocks + n, first_block: first_block - blocks, blocks }
        };
        blocks.into_iter().enumerate().map(group).collect()
    };
    rules.chunks(max_blocks).enumerate().map(launch).collect()
}
