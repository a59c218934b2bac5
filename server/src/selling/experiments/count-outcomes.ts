import { readReached } from '#insights'
import { log, purgePages, type Db, type JobScope } from '#platform'
import { shellTags } from '#flags'
import { effectOf, type Counted } from './effect.ts'
import { experimentsTag } from './running.ts'
import { readExperiments, readExposures, stopExperiment, writeOutcomes, type ExperimentRow, type OutcomeRow } from './store.ts'

/** Visitors of one read; an experiment may have any number of them. */
const pageSize = 20_000

/** What the visitors of each variation did after they saw it, within 90 days. */
export async function countOutcomes(db: Db, { campaignId, definition }: ExperimentRow, size = pageSize): Promise<OutcomeRow[]> {
  const outcomes = new Map<number, OutcomeRow>(
    definition.variations.map(({ id }) => [id, { variationId: id, visitors: 0, added: 0, ordered: 0, leftAtOnce: 0, metError: 0 }]),
  )
  for (let after: string | null = null; ;) {
    const exposures = await readExposures(db, campaignId, { after, limit: size })
    const reached = new Map((await readReached(db, exposures)).map((each) => [each.visitorId, each]))
    for (const { visitorId, variationId } of exposures) {
      const outcome = outcomes.get(variationId)
      if (!outcome) continue
      const did = reached.get(visitorId)
      outcome.visitors++
      if (did?.hasAdded) outcome.added++
      if (did?.hasOrdered) outcome.ordered++
      if (!did?.hasGoneOn) outcome.leftAtOnce++
      if (did?.hasMetError) outcome.metError++
    }
    if (exposures.length < size) return [...outcomes.values()]
    after = exposures.at(-1)?.visitorId ?? null
  }
}

/** What no variation may make more of. */
export const guardrails = {
  leftAtOnce: 'more visitors left at once',
  metError: 'more visitors met an error',
} as const satisfies Partial<Record<keyof OutcomeRow, string>>

export const countedOf = (outcome: OutcomeRow, what: 'added' | 'ordered' | keyof typeof guardrails): Counted => ({
  visitors: outcome.visitors,
  reached: outcome[what],
})

/** The broken guardrail of a variation: its whole interval says that it is worse than the control. Null if all hold. */
export function brokenGuardrail(control: OutcomeRow, outcome: OutcomeRow): string | null {
  for (const [what, harm] of Object.entries(guardrails) as [keyof typeof guardrails, string][])
    if ((effectOf(countedOf(control, what), countedOf(outcome, what))?.low ?? 0) > 0) return harm
  return null
}

/** Counts the outcomes of experiments, and stops those with a variation that does harm: everybody sees the control again. */
export async function reviewExperiments({ db }: Pick<JobScope, 'db'>): Promise<void> {
  for (const experiment of (await readExperiments(db)).filter(({ state }) => state !== 'draft')) {
    const outcomes = await countOutcomes(db.reports, experiment)
    await writeOutcomes(db, experiment.campaignId, outcomes)
    if (experiment.state !== 'running' || experiment.definition.type === 'aa') continue
    const [control, ...others] = outcomes
    for (const outcome of others) {
      const harm = control ? brokenGuardrail(control, outcome) : null
      if (harm === null) continue
      const variation = experiment.definition.variations.find(({ id }) => id === outcome.variationId)?.name ?? ''
      await stopExperiment(db, experiment.campaignId, `${variation}: ${harm}`)
      await purgePages(db, [experimentsTag, ...shellTags(experiment.definition)])
      log.warn({ experiment: experiment.name, variation, harm }, 'An experiment was stopped: a guardrail is broken')
      break
    }
  }
}
