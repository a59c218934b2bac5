/** One measured figure and its target. */
export interface Figure {
  name: string
  value: number
  unit: string
  /** ">= 3", "<= 4"; null if the figure is informational. */
  target: string | null
  ok: boolean
}

/** Creates a figure and compares it with its target: ">= 3" or "<= 4". */
export function figure(name: string, value: number, unit: string, target: string | null = null): Figure {
  return { name, value: rounded(value), unit, target, ok: meets(value, target) }
}

export function meets(value: number, target: string | null): boolean {
  if (target === null) return true
  const [, sign, limit] = /^([<>]=) ([\d.]+)$/.exec(target) ?? []
  if (limit === undefined) throw new Error(`A target is ">= n" or "<= n", not "${target}"`)
  return sign === '>=' ? value >= Number(limit) : value <= Number(limit)
}

function rounded(value: number): number {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return Number(value.toFixed(digits))
}

/** One JSON line per figure, machine-readable. */
export function printJson(figures: readonly Figure[]): void {
  for (const one of figures) console.log(JSON.stringify(one))
}

/** "5 of 6 targets are met". */
export function verdict(figures: readonly Figure[]): string {
  const judged = figures.filter(({ target }) => target !== null)
  return `${judged.filter(({ ok }) => ok).length} of ${judged.length} targets are met`
}

/** A table, human-readable, and how many targets are met. */
export function printTable(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ name }) => name.length))
  for (const { name, value, unit, target, ok } of figures) {
    const judged = target === null ? '' : `${ok ? 'ok  ' : 'MISS'} ${target}`
    console.log(`${name.padEnd(width)}  ${String(value).padStart(9)} ${unit.padEnd(16)} ${judged}`)
  }
  console.log(verdict(figures))
}
