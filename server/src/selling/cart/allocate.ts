/**
 * Allocates an amount by weight: the parts sum to the total exactly, none is negative, and equal
 * weights differ by one minor unit at most (largest remainder; ties go to the earlier one).
 * If all weights are zero the first part gets everything. Minor units.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  if (!Number.isSafeInteger(total) || total < 0 || weights.some((weight) => !Number.isSafeInteger(weight) || weight < 0)) {
    throw new Error('Only non-negative integer amounts can be allocated')
  }
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (weights.length === 0 && total > 0) throw new Error('There are no weights to allocate the amount to')
  if (sum === 0) return weights.map((_, index) => (index === 0 ? total : 0))
  // The product of two amounts may exceed the integers a float holds exactly.
  const shares = weights.map((weight) => {
    const product = BigInt(total) * BigInt(weight)
    return { part: Number(product / BigInt(sum)), rest: Number(product % BigInt(sum)) }
  })
  let left = total - shares.reduce((all, { part }) => all + part, 0)
  const order = shares.map((_, index) => index).sort((a, b) => (shares[b]?.rest ?? 0) - (shares[a]?.rest ?? 0) || a - b)
  for (const index of order) {
    if (left === 0) break
    const share = shares[index]
    if (share) share.part += 1
    left -= 1
  }
  return shares.map(({ part }) => part)
}
