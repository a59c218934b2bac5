import type { Experiment } from '@purlin/contract/experiments.ts'
import { effectOf, type Counted } from './effect.ts'
import { sampleRatio } from './sample-ratio.ts'

/** What no variation may make more of. */
export const guardrails = {
  leftAtOnce: 'more visitors left at once',
  metError: 'more visitors met an error',
} as const
export type Guardrail = keyof typeof guardrails
const names = Object.keys(guardrails) as Guardrail[]

/**
 * Guardrails are measured by what browsers report, and whoever collects ids can report anything. So a network counts with few
 * visitors, and a guardrail has to be broken without the networks that speak most for it: those never stop an experiment.
 * (decision 088)
 */
export const guardRules = {
  visitorsOfNetwork: 10,
  networksIgnored: 20,
  /** Of each variation; fewer say nothing. */
  minVisitors: 100,
  /** A healthy experiment is stopped in one of 20 cases at most, however often it is looked at and however many are compared. */
  alpha: 0.05,
} as const

type Tally = { visitors: number } & Record<Guardrail, number>
const nothing = (): Tally => ({ visitors: 0, leftAtOnce: 0, metError: 0 })

/** Visitors whom guardrails count, by network and variation. */
export type NetworkTally = Map<number, { visitors: number; byVariation: Map<number, Tally> }>

/** Visitors from before networks were stored are one network. */
export function tallyVisitor(
  networks: NetworkTally,
  { network, variationId }: { network: number | null; variationId: number },
  did: Readonly<Record<Guardrail, boolean>>,
): void {
  const key = network ?? -1
  const counted = networks.get(key) ?? { visitors: 0, byVariation: new Map<number, Tally>() }
  networks.set(key, counted)
  // Of all variations together: a limit for each would shift the split of networks that have many visitors.
  if (counted.visitors >= guardRules.visitorsOfNetwork) return
  counted.visitors++
  const tally = counted.byVariation.get(variationId) ?? nothing()
  counted.byVariation.set(variationId, tally)
  tally.visitors++
  for (const name of names) if (did[name]) tally[name]++
}

function tallyOf(networks: NetworkTally, variationId: number): Tally {
  const sum = nothing()
  for (const { byVariation } of networks.values()) {
    const tally = byVariation.get(variationId)
    if (!tally) continue
    sum.visitors += tally.visitors
    for (const name of names) sum[name] += tally[name]
  }
  return sum
}

/** The counts of both without the networks by which the variation looks worst. */
function withoutWorst(networks: NetworkTally, what: Guardrail, controlId: number, variationId: number): { usual: Counted; seen: Counted } {
  const countedOf = (tally: Tally): Counted => ({ visitors: tally.visitors, reached: tally[what] })
  const usual = countedOf(tallyOf(networks, controlId))
  const seen = countedOf(tallyOf(networks, variationId))
  /** What these visitors add to the share of all. */
  const weightOf = (part: Counted, { visitors, reached }: Counted) =>
    visitors === 0 ? 0 : (part.reached - (reached / visitors) * part.visitors) / visitors
  const speaking = [...networks.values()].map(({ byVariation }) => {
    const [mine, other] = [controlId, variationId].map((id) => countedOf(byVariation.get(id) ?? nothing())) as [Counted, Counted]
    return { mine, other, against: weightOf(other, seen) - weightOf(mine, usual) }
  })
  for (const { mine, other } of speaking.toSorted((a, b) => b.against - a.against).slice(0, guardRules.networksIgnored)) {
    usual.visitors -= mine.visitors
    usual.reached -= mine.reached
    seen.visitors -= other.visitors
    seen.reached -= other.reached
  }
  return { usual, seen }
}

/** Whether the visitors whom guardrails count were split as planned. */
export function isSplitBroken(networks: NetworkTally, variations: Experiment['variations']): boolean {
  return sampleRatio(variations.map(({ id, weight }) => ({ weight, visitors: tallyOf(networks, id).visitors }))).isBroken
}

/** What each variation makes worse than the control, by its id; a split that is broken says nothing about harm. */
export function brokenGuardrails(networks: NetworkTally, variations: Experiment['variations']): ReadonlyMap<number, string> {
  const harms = new Map<number, string>()
  const [control, ...others] = variations
  if (!control || isSplitBroken(networks, variations)) return harms
  const alpha = guardRules.alpha / (names.length * others.length)
  for (const { id } of others)
    for (const name of names) {
      const { usual, seen } = withoutWorst(networks, name, control.id, id)
      if (Math.min(usual.visitors, seen.visitors) < guardRules.minVisitors || harms.has(id)) continue
      if ((effectOf(usual, seen, alpha)?.low ?? 0) > 0) harms.set(id, guardrails[name])
    }
  return harms
}
