/** Weight of the plan against what is observed, in visitors; about where the test is most sensitive. */
const concentration = 100
const alpha = 0.01

/**
 * Whether visitors were split as planned: χ² of observed against expected counts, and a sequential test of the same (Bayes factor
 * of Dirichlet-multinomial against the planned shares, Lindon and Malek 2020). The test may be looked at any number of times and
 * is wrong about one of 100 experiments. If the split is broken, so are the experiment's results.
 */
export function sampleRatio(counts: readonly { visitors: number; weight: number }[]): { chiSquare: number; isBroken: boolean } {
  const visitors = counts.reduce((sum, each) => sum + each.visitors, 0)
  const weights = counts.reduce((sum, each) => sum + each.weight, 0)
  if (visitors === 0 || weights === 0) return { chiSquare: 0, isBroken: false }
  let chiSquare = 0
  let logFactor = logGamma(concentration) - logGamma(concentration + visitors)
  for (const each of counts) {
    const share = each.weight / weights
    if (share === 0) {
      if (each.visitors > 0) return { chiSquare: Infinity, isBroken: true }
      continue
    }
    const expected = visitors * share
    chiSquare += (each.visitors - expected) ** 2 / expected
    logFactor += logGamma(concentration * share + each.visitors) - logGamma(concentration * share) - each.visitors * Math.log(share)
  }
  return { chiSquare, isBroken: logFactor > -Math.log(alpha) }
}

/** By Stirling's series, after the recurrence has made the argument large enough. */
function logGamma(value: number): number {
  let x = value
  let shift = 0
  for (; x < 10; x++) shift -= Math.log(x)
  return shift + (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3)
}
