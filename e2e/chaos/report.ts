import type { Violation } from '../invariants.ts'
import type { Purchases } from './buyers.ts'

interface Outcome {
  seed: string
  minutes: number
  injected: ReadonlyMap<string, number>
  purchases: Purchases
  violations: readonly Violation[]
  /** Unreadable events that were parked. */
  parked: number
  /** Pages with a professional's price, read among those of consumers. */
  netPrices: number
}

/** The run as Markdown: what was injected, what was bought meanwhile, and what did not hold. */
export function report({ seed, minutes, injected, purchases, violations, parked, netPrices }: Outcome): string {
  const faults = [...injected].toSorted(([a], [b]) => a.localeCompare(b))
  const sum = faults.reduce((all, [, times]) => all + times, 0)
  const { begun, placed, paid, ended, messages } = purchases
  const late = [...messages].map(([what, times]) => `${what} (${times})`).join(', ')
  return [
    `# Faults injected while guests bought`,
    ``,
    `Seed ${seed}, ${minutes} minutes, ${sum} faults, ${violations.length} violations of I1 to I10.`,
    ``,
    `${begun} purchases begun, ${placed.length} orders placed, ${paid.length} paid; ${parked} unreadable events were parked among those of the orders;`,
    `F9: orders paid although messages of the payment provider came ${late || 'as they should'};`,
    `${netPrices} pages with prices for professionals read in turn with those for consumers.`,
    ``,
    `| fault | times |`,
    `| --- | --- |`,
    ...faults.map(([title, times]) => `| ${title} | ${times} |`),
    ``,
    ...(ended.size > 0 ? [`Purchases that ended early:`, ``, ...[...ended].map(([reason, times]) => `- ${times} × ${reason}`), ``] : []),
    ...(violations.length > 0 ? [`Violations:`, ``, ...violations.slice(0, 40).map(({ id, what }) => `- ${id}: ${what}`), ``] : []),
  ].join('\n')
}
