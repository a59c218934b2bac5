import { readReached } from '#insights'
import { sendMail } from '#mail'
import { purgePages, settings, type Db, type JobScope, type LongContext } from '#platform'
import { shellTags } from '#flags'
import type { Counted } from './effect.ts'
import { brokenGuardrails, isSplitBroken, tallyVisitor, type Guardrail, type NetworkTally } from './guardrails.ts'
import { experimentNotice } from './mails.ts'
import { experimentsTag } from './running.ts'
import {
  readExperiments,
  readExposures,
  readSharedUnits,
  stopExperiment,
  writeOutcomes,
  type ExperimentRow,
  type Exposure,
  type OutcomeRow,
} from './store.ts'

/** Visitors of one read, each of whom may have events of ninety days; an experiment may have any number of them. */
const pageSize = 2_000

type Did = Record<'added' | 'ordered' | 'goneOn' | 'metError', boolean>
type Outcome = Omit<OutcomeRow, 'harm'>
interface Review {
  outcomes: Outcome[]
  networks: NetworkTally
}

/** What the visitors of each variation did after they saw it, within 90 days. A customer with several devices is one of them. */
export async function countOutcomes(
  db: Db,
  { campaignId, definition }: ExperimentRow,
  { size = pageSize, signal }: { size?: number; signal?: AbortSignal } = {},
): Promise<Review> {
  const outcomes = new Map<number, Outcome>(
    definition.variations.map(({ id }) => [id, { variationId: id, visitors: 0, added: 0, ordered: 0, leftAtOnce: 0, metError: 0 }]),
  )
  const networks: NetworkTally = new Map()
  const count = ({ variationId, network }: Pick<Exposure, 'variationId' | 'network'>, did: Did) => {
    const outcome = outcomes.get(variationId)
    if (!outcome) return
    outcome.visitors++
    if (did.added) outcome.added++
    if (did.ordered) outcome.ordered++
    if (!did.goneOn) outcome.leftAtOnce++
    if (did.metError) outcome.metError++
    tallyVisitor(networks, { network, variationId }, { leftAtOnce: !did.goneOn, metError: did.metError })
  }
  const shared = new Set(await readSharedUnits(db, campaignId))
  const customers = new Map<string, { first: Exposure; did: Did }>()
  for (let after: string | null = null; ;) {
    signal?.throwIfAborted()
    const exposures = await readExposures(db, campaignId, { after, limit: size })
    const reached = new Map((await readReached(db, exposures)).map((each) => [each.visitorId, each]))
    for (const exposure of exposures) {
      const found = reached.get(exposure.visitorId)
      const did: Did = {
        added: found?.hasAdded ?? false,
        ordered: found?.hasOrdered ?? false,
        goneOn: found?.hasGoneOn ?? false,
        metError: found?.hasMetError ?? false,
      }
      const unit = exposure.unit ?? exposure.visitorId
      if (!shared.has(unit)) count(exposure, did)
      else customers.set(unit, together(customers.get(unit), exposure, did))
    }
    if (exposures.length < size) break
    after = exposures.at(-1)?.visitorId ?? null
  }
  for (const { first, did } of customers.values()) count(first, did)
  return { outcomes: [...outcomes.values()], networks }
}

/** What a customer did on any device counts for what they saw first. */
function together(known: { first: Exposure; did: Did } | undefined, exposure: Exposure, did: Did): { first: Exposure; did: Did } {
  if (!known) return { first: exposure, did }
  return {
    first: exposure.seenAt < known.first.seenAt ? exposure : known.first,
    did: {
      added: known.did.added || did.added,
      ordered: known.did.ordered || did.ordered,
      goneOn: known.did.goneOn || did.goneOn,
      metError: known.did.metError || did.metError,
    },
  }
}

export const countedOf = (outcome: OutcomeRow, what: 'added' | 'ordered' | Guardrail): Counted => ({
  visitors: outcome.visitors,
  reached: outcome[what],
})

/** Counts the outcomes of all experiments, one after another. One that cannot be counted holds up no other. */
export async function reviewExperiments({ db, state, signal, log, checkpoint }: LongContext): Promise<void> {
  let done = Array.isArray(state) ? state : []
  for (const experiment of await readExperiments(db)) {
    const { campaignId, name } = experiment
    if (experiment.state === 'draft' || done.includes(campaignId)) continue
    try {
      const review = await countOutcomes(db.reports, experiment, { signal })
      await checkpoint([...done, campaignId], (scope) => conclude(scope, experiment, review))
      done = [...done, campaignId]
    } catch (error) {
      signal.throwIfAborted()
      log.error({ experiment: name, reason: error instanceof Error ? error.message : String(error) }, 'an experiment could not be counted')
    }
  }
}

/**
 * Stores the outcomes, and stops an experiment with a variation that does harm: everybody sees the control again. The
 * operator gets a mail, and another one once a split is broken.
 */
async function conclude(scope: JobScope, experiment: ExperimentRow, { outcomes, networks }: Review): Promise<void> {
  const { db, log } = scope
  const { campaignId, name, state, changedAt, definition } = experiment
  // An operator may have changed it since it was read: the next review counts that.
  const current = (await readExperiments(db)).find((each) => each.campaignId === campaignId)
  if (current?.changedAt.getTime() !== changedAt.getTime()) return
  const harms = definition.type === 'aa' ? new Map<number, string>() : brokenGuardrails(networks, definition.variations)
  await writeOutcomes(
    db,
    campaignId,
    outcomes.map((outcome) => ({ ...outcome, harm: harms.get(outcome.variationId) ?? null })),
  )
  const [market = 'gb'] = definition.markets
  const [mode = 'b2c'] = definition.modes
  const notify = (stoppedBecause: string | null) =>
    sendMail(scope, experimentNotice, {
      to: settings().operator.email,
      site: settings().hosts.site(market, mode),
      payload: { campaignId, name, stoppedBecause },
      // Once per run.
      key: `experiment:${campaignId}:${changedAt.getTime()}:${stoppedBecause === null ? 'split' : 'stopped'}`,
    })
  if (state !== 'running') return
  if (isSplitBroken(networks, definition.variations)) {
    if (await notify(null)) log.warn({ experiment: name }, 'The split of an experiment is broken: its guardrails stop nothing')
    return
  }
  const [harmful] = harms
  if (!harmful) return
  const variation = definition.variations.find(({ id }) => id === harmful[0])?.name ?? ''
  const because = `${variation}: ${harmful[1]}`
  await stopExperiment(db, campaignId, because)
  await notify(because)
  await purgePages(db, [experimentsTag, ...shellTags(definition)])
  log.warn({ experiment: name, variation, harm: harmful[1] }, 'An experiment was stopped: a guardrail is broken')
}
