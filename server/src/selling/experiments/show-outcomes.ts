import { readReached, type Reached, type Section } from '#insights'
import type { Db } from '#platform'
import { effectOf, type Counted } from './effect.ts'
import { sampleRatio } from './sample-ratio.ts'
import { readExperiments, readExposures, type ExperimentRow } from './store.ts'

/** The latest of an experiment; more would not make its intervals much tighter. */
const maxVisitors = 50_000

interface Outcome {
  name: string
  weight: number
  added: Counted
  ordered: Counted
  /** What must not become more: visitors who left at once, and visitors who met an error. */
  left: Counted
  metError: Counted
}

async function outcomesOf(db: Db, { campaignId, definition }: ExperimentRow): Promise<Outcome[]> {
  const exposures = await readExposures(db, campaignId, maxVisitors)
  const reached = new Map((await readReached(db, exposures)).map((each) => [each.visitorId, each]))
  return definition.variations.map(({ id, name, weight }) => {
    const mine = exposures.filter(({ variationId }) => variationId === id)
    const count = (did: (one: Reached | undefined) => boolean | undefined): Counted => ({
      visitors: mine.length,
      reached: mine.filter(({ visitorId }) => did(reached.get(visitorId))).length,
    })
    return {
      name,
      weight,
      added: count((one) => one?.hasAdded),
      ordered: count((one) => one?.hasOrdered),
      left: count((one) => !one?.hasGoneOn),
      metError: count((one) => one?.hasMetError),
    }
  })
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
const shareOf = ({ visitors, reached }: Counted): string => (visitors === 0 ? '–' : percent(reached / visitors))
const points = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value * 100).toFixed(1)}`

/** "+1.2 (−0.3 to +2.7)", in points. */
function effectText(control: Counted, variation: Counted): string {
  const effect = effectOf(control, variation)
  return effect ? `${points(effect.difference)} (${points(effect.low)} to ${points(effect.high)})` : '–'
}

/** A guardrail is broken once the whole interval says that the variation is worse. */
const isHarmed = (control: Counted, variation: Counted): boolean => (effectOf(control, variation)?.low ?? 0) > 0

/** Experiments that run or ran, on the page of insights: the share of visitors who went on, each variation's difference, and its guardrails. */
export async function showOutcomes(db: Db): Promise<Section[]> {
  const rows: (string | number)[][] = []
  const guards: (string | number)[][] = []
  for (const experiment of (await readExperiments(db)).filter(({ state }) => state !== 'draft')) {
    const outcomes = await outcomesOf(db, experiment)
    const { isBroken } = sampleRatio(outcomes.map(({ weight, added }) => ({ weight, visitors: added.visitors })))
    const control = outcomes[0]
    for (const outcome of outcomes) {
      const compared = (of: 'added' | 'ordered') => (!control || outcome === control ? 'control' : effectText(control[of], outcome[of]))
      rows.push([
        experiment.name,
        outcome.name,
        outcome.added.visitors,
        shareOf(outcome.added),
        compared('added'),
        shareOf(outcome.ordered),
        compared('ordered'),
        isBroken ? 'broken' : 'as planned',
      ])
      if (!control || outcome === control) continue
      const { left, metError } = outcome
      guards.push([
        experiment.name,
        outcome.name,
        shareOf(left),
        effectText(control.left, left),
        shareOf(metError),
        effectText(control.metError, metError),
        isHarmed(control.left, left) || isHarmed(control.metError, metError) ? 'broken: stop it' : 'hold',
      ])
    }
  }
  return [
    {
      title: 'Experiments, 90 days, with intervals of 95 % that hold at every look',
      columns: ['Experiment', 'Variation', 'Visitors', 'Added to cart', 'Points', 'Ordered', 'Points', 'Split'],
      rows,
      empty: 'No experiment has run yet.',
    },
    {
      title: 'Guardrails of experiments: what no variation may make worse',
      columns: ['Experiment', 'Variation', 'Left at once', 'Points', 'Met an error', 'Points', 'Guardrails'],
      rows: guards,
      empty: 'No experiment has run yet.',
    },
  ]
}
