import type { Section } from '#insights'
import type { Db } from '#platform'
import { countedOf } from './count-outcomes.ts'
import { effectOf, smallestFound, type Counted } from './effect.ts'
import { sampleRatio } from './sample-ratio.ts'
import { readExperiments, readOutcomes } from './store.ts'

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
const shareOf = ({ visitors, reached }: Counted): string => (visitors === 0 ? '–' : percent(reached / visitors))
const points = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value * 100).toFixed(1)}`

/** "+1.2 (−0.3 to +2.7)", in points. */
function effectText(control: Counted, variation: Counted): string {
  const effect = effectOf(control, variation)
  return effect ? `${points(effect.difference)} (${points(effect.low)} to ${points(effect.high)})` : '–'
}

/** "0.34 (11 %)": the smallest difference found so far, in points and in relation to the control's share. */
function foundText(control: Counted, variation: Counted): string {
  const found = smallestFound(control, variation)
  if (found === null) return '–'
  const relative = control.reached === 0 ? '' : ` (${Math.round((found * 100 * control.visitors) / control.reached)} %)`
  return `${(found * 100).toFixed(2)}${relative}`
}

/** Experiments that run or ran, on the page of insights: the share of visitors who went on, each variation's difference, and its guardrails. */
export async function showOutcomes(db: Db): Promise<Section[]> {
  const rows: (string | number)[][] = []
  const guards: (string | number)[][] = []
  const counted = Map.groupBy(await readOutcomes(db), ({ campaignId }) => campaignId)
  for (const { campaignId, name, state, definition, stoppedBecause } of await readExperiments(db)) {
    if (state === 'draft') continue
    const outcomes = definition.variations.flatMap(({ id, ...variation }) => {
      const outcome = counted.get(campaignId)?.find(({ variationId }) => variationId === id)
      return outcome ? [{ ...outcome, ...variation }] : []
    })
    const { isBroken } = sampleRatio(outcomes)
    const control = outcomes[0]
    for (const outcome of outcomes) {
      const share = (of: 'added' | 'ordered' | 'leftAtOnce' | 'metError') => shareOf(countedOf(outcome, of))
      const compared = (of: 'added' | 'ordered' | 'leftAtOnce' | 'metError') =>
        !control || outcome === control ? 'control' : effectText(countedOf(control, of), countedOf(outcome, of))
      const found = (of: 'added' | 'ordered') =>
        !control || outcome === control ? '' : foundText(countedOf(control, of), countedOf(outcome, of))
      rows.push([
        name,
        outcome.name,
        outcome.visitors,
        share('added'),
        compared('added'),
        found('added'),
        share('ordered'),
        compared('ordered'),
        found('ordered'),
        isBroken ? 'broken' : 'as planned',
      ])
      if (!control || outcome === control) continue
      guards.push([
        name,
        outcome.name,
        share('leftAtOnce'),
        compared('leftAtOnce'),
        share('metError'),
        compared('metError'),
        stoppedBecause?.startsWith(`${outcome.name}: `) ? 'broken: stopped' : outcome.harm ? 'broken' : 'hold',
      ])
    }
  }
  return [
    {
      title:
        'Experiments, 90 days, with intervals of 95 % that hold at every look, and the smallest effect found so far in four of five cases',
      columns: ['Experiment', 'Variation', 'Visitors', 'Added to cart', 'Points', 'Found from', 'Ordered', 'Points', 'Found from', 'Split'],
      rows,
      empty: 'No experiment has been counted yet.',
    },
    {
      title: 'Guardrails of experiments: what no variation may make worse',
      columns: ['Experiment', 'Variation', 'Left at once', 'Points', 'Met an error', 'Points', 'Guardrails'],
      rows: guards,
      empty: 'No experiment has been counted yet.',
    },
  ]
}
