/**
 * Whether visitors were split as planned: χ² of observed against expected counts. Below 0.001 the split is broken, and
 * so are the experiment's results.
 */
export function sampleRatio(counts: readonly { visitors: number; weight: number }[]): { chiSquare: number; isBroken: boolean } {
  const visitors = counts.reduce((sum, each) => sum + each.visitors, 0)
  const weights = counts.reduce((sum, each) => sum + each.weight, 0)
  if (visitors === 0 || weights === 0) return { chiSquare: 0, isBroken: false }
  const chiSquare = counts.reduce((sum, each) => {
    const expected = (visitors * each.weight) / weights
    return expected === 0 ? sum : sum + (each.visitors - expected) ** 2 / expected
  }, 0)
  return { chiSquare, isBroken: chiSquare > critical(counts.length - 1) }
}

/** Critical value at 0.001, by Wilson and Hilferty. */
function critical(degrees: number): number {
  const part = 2 / (9 * Math.max(1, degrees))
  return Math.max(1, degrees) * (1 - part + 3.0902 * Math.sqrt(part)) ** 3
}
