/** How long pages took, by path: those of a process that has just started, and the others. */
export interface PageTimes {
  cold: ReadonlyMap<string, readonly number[]>
  warm: ReadonlyMap<string, readonly number[]>
}

const middle = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
const text = (times: readonly number[]) => times.map((ms) => Math.round(ms)).join(' ')

/** Tolerance for noise of a shared machine. */
const noise = { factor: 1.5, middleMs: 50, oneMs: 200 }
/** A first page waits once for flags and once for the header, 0.4 seconds each. */
const firstMs = 850

/**
 * Paths that are slower than in the healthy shop of the same minute: in the middle, so that all pages count; by the slowest of
 * those of a process that is running, so that each page counts; or, right after a start, by more than a first page may wait, of
 * which the least is free of noise.
 */
export function slowerPages(during: PageTimes, healthy: PageTimes): string[] {
  return [...during.warm].flatMap(([path, warm]) => {
    const cold = during.cold.get(path) ?? []
    const [before, coldBefore] = [healthy.warm.get(path) ?? [], healthy.cold.get(path) ?? []]
    const isSlow =
      middle([...warm, ...cold]) > noise.factor * middle([...before, ...coldBefore]) + noise.middleMs ||
      Math.max(...warm) > noise.factor * Math.max(...before) + noise.oneMs ||
      Math.min(...cold) > noise.factor * Math.min(...coldBefore) + firstMs
    return isSlow ? [`${path}: ${text(warm)}, cold ${text(cold)} ms; healthy ${text(before)}, cold ${text(coldBefore)} ms`] : []
  })
}
