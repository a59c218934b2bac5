export interface Rate {
  perSecond: number
}

/** Median rates of two loads, measured alternately, several times: a machine that changes its pace does not judge. */
export async function inTurn(measure: readonly [() => Promise<Rate>, () => Promise<Rate>], rounds = 5): Promise<[number, number]> {
  const rates: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    rates[0].push((await measure[0]()).perSecond)
    rates[1].push((await measure[1]()).perSecond)
  }
  return [median(rates[0]), median(rates[1])]
}

const median = (rates: readonly number[]): number => rates.toSorted((one, other) => one - other)[Math.floor(rates.length / 2)] ?? 0
