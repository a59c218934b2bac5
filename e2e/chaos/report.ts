import type { Violation } from '../invariants.ts'
import type { Purchases } from './buyers.ts'
import { shortcomings, totals, type Injected } from './judge-chaos.ts'

interface Outcome {
  seed: string
  minutes: number
  injected: Injected
  purchases: Purchases
  violations: readonly Violation[]
  /** Unreadable events that were parked. */
  parked: number
  /** Pages with a professional's price, read among those of consumers. */
  netPrices: number
  /** Mails that the shop calls sent, and how many copies of them arrived besides. */
  mails: { sent: number; copies: number }
}

/** The run as Markdown: what was injected, what was bought meanwhile, and what did not hold. */
export function report({ seed, minutes, injected, purchases, violations, parked, netPrices, mails }: Outcome): string {
  const faults = [...injected].toSorted(([a], [b]) => a.localeCompare(b))
  const { hit, missed } = totals(injected)
  const short = shortcomings({ minutes, injected, purchases })
  const { begun, placed, paid, ended, messages } = purchases
  const late = [...messages].map(([what, times]) => `${what} (${times})`).join(', ')
  return [
    `# Faults injected while guests bought`,
    ``,
    `Seed ${seed}, ${minutes} minutes, ${hit} faults, ${violations.length} violations of I1 to I10.`,
    `${missed} more tries found nothing to hit and do not count.`,
    ``,
    `${begun} purchases begun, ${placed.length} orders placed, ${paid.length} paid; ${parked} unreadable events were parked among those of the orders;`,
    `F9: orders paid although messages of the payment provider came ${late || 'as they should'};`,
    `${netPrices} pages with prices for professionals read in turn with those for consumers;`,
    `F19: ${mails.sent} mails sent, of which ${mails.copies} copies arrived as well, each with the Message-ID of its mail.`,
    ``,
    `| fault | times | found nothing to hit |`,
    `| --- | --- | --- |`,
    ...faults.map(([title, tries]) => `| ${title} | ${tries.hit} | ${tries.missed} |`),
    ``,
    ...(ended.size > 0 ? [`Purchases that ended early:`, ``, ...[...ended].map(([reason, times]) => `- ${times} × ${reason}`), ``] : []),
    ...(short.length > 0 ? [`The run shows too little:`, ``, ...short.map((what) => `- ${what}`), ``] : []),
    ...(violations.length > 0 ? [`Violations:`, ``, ...violations.slice(0, 40).map(({ id, what }) => `- ${id}: ${what}`), ``] : []),
  ].join('\n')
}
