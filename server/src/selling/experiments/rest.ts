import { consentOf, visitorIdOf } from '@purlin/contract/consent.ts'
import { isCrawler } from '@purlin/contract/crawlers.ts'
import { assignmentsOf, experimentChannels, layerSlots } from '@purlin/contract/experiments.ts'
import { flagNames, flags } from '@purlin/contract/flags.ts'
import { marketCodes, modes } from '@purlin/contract/markets.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { customerIdOf } from '#accounts'
import { isIssuedVisitor } from '#consent'
import { flagValue, shellTags } from '#flags'
import { addInsights, recordEvent } from '#insights'
import { purgePages, StatusError, takeQuota } from '#platform'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { assign, participantOf } from './assign.ts'
import { countVisitor } from './count-visitor.ts'
import { customerInTime, customerIn, experimentCookies } from './customer-cookie.ts'
import { experimentsTag, loadExperiments, runningExperiments } from './running.ts'
import { sampleRatio } from './sample-ratio.ts'
import { showOutcomes } from './show-outcomes.ts'
import { countExposures, readExperiments, states, writeExperiment } from './store.ts'

const uuid = v.pipe(v.string(), v.uuid())
/** Source: spec §7, R-563. */
const flagsBody = v.object({
  context: v.strictObject({ CHANNEL: v.picklist(experimentChannels), MARKET: v.picklist(marketCodes), PLATFORM: v.picklist(modes) }),
  visitor_id: uuid,
  user_id: v.optional(v.nullable(uuid)),
})
/** The experiments seen, by name, and the variation that the page showed: "home-order=control". */
const exposuresBody = v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}(?:=[a-z0-9-]{1,40})?$/))), v.maxLength(20))
const bodyLimit = 4000

/** The message is verbatim. Source: spec §8, R-617. */
export const noVisitorId = 'No visitor_id found'

export function routes(app: FastifyInstance, services: Services): void {
  addInsights(showOutcomes)
  const refuse = (reply: FastifyReply, status: number, title: string) =>
    reply.code(status).type('application/problem+json').send({ type: 'about:blank', title, status })

  app.post('/ab-test/api/v1/user/flags', { config: { action: 'experiment.ask' }, bodyLimit }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const taken = await takeQuota('experiment', { address: request.ip })
    if (!taken.ok) return refuse(reply.header('retry-after', String(taken.retryAfterSeconds)), 429, 'Too many requests')
    const { body } = request
    if (typeof body === 'object' && body !== null && !('visitor_id' in body && body.visitor_id)) return refuse(reply, 400, noVisitorId)
    const input = v.safeParse(flagsBody, body)
    if (!input.success) return refuse(reply, 400, said(input.issues))
    const { context, visitor_id: unit, user_id: userId } = input.output
    const at = { market: context.MARKET, mode: context.PLATFORM }
    const inChannel = { ...at, channel: context.CHANNEL }
    const consent = consentOf(request)
    // A customer's id counts only with their session: nobody learns or decides what another customer sees. What is known about a
    // customer is used, and stored, with consent to statistics alone.
    const requested = services.scopeOf(request)
    const scope = userId && consent.allows('statistics') ? await requested?.personal() : undefined
    const isThemselves = userId && scope && customerIdOf(scope) === userId
    const participant = isThemselves ? { ...inChannel, ...(await customerInTime(services.db, userId, unit)) } : { ...inChannel, unit }
    const given = consent.isDecided && !consent.allows('statistics') ? [] : assign(participant)
    if (isThemselves && requested)
      for (const line of await experimentCookies(services.db, requested.site, request, userId)) reply.header('set-cookie', line)
    const remote = flagNames.filter((name) => flags[name].source === 'remote')
    const values = await Promise.all(remote.map(async (name) => [name, await flagValue({ ...at, db: services.db }, name)] as const))
    return {
      content: {
        campaign_variations: given.map(({ campaignId, variationId, type }) => ({
          campaign_id: campaignId,
          variation_id: variationId,
          type,
        })),
        flags: Object.fromEntries(values),
      },
    }
  })

  app.post('/api/v1/experiment-exposures', { config: { action: 'experiment.ask' }, bodyLimit }, async (request, reply) => {
    const scope = services.scopeOf(request)
    if (!scope) throw new StatusError(404, 'NOT_FOUND', 'No site is known for this host')
    reply.header('cache-control', 'no-store')
    if (!isOwnOrigin(request, scope.site)) return refuse(reply, 403, 'This request does not come from our own pages')
    const taken = await takeQuota('experiment', { address: request.ip })
    if (!taken.ok) return refuse(reply.header('retry-after', String(taken.retryAfterSeconds)), 429, 'Too many requests')
    const input = v.safeParse(exposuresBody, request.body)
    if (!input.success) return refuse(reply, 400, said(input.issues))
    const participant = participantOf(scope, request)
    const visitorId = visitorIdOf(request)
    // Counted with consent alone, no crawlers, only visitors whose id is ours, and only what they can have seen.
    if (participant !== null && !isCrawler(request.headers['user-agent']) && visitorId !== null && isIssuedVisitor(visitorId)) {
      const unit = customerIn(request)?.unit ?? null
      const seen = new Set(input.output)
      for (const { experiment, variation } of assignmentsOf(runningExperiments(), participant)) {
        if (!seen.has(experiment.name) && !seen.has(`${experiment.name}=${variation.name}`)) continue
        // The event as well: what a browser repeats adds none.
        if (!(await countVisitor(services.db.alone, { address: request.ip, visitorId, unit, experiment, variation }))) continue
        const data = {
          experiment: experiment.name,
          variation: variation.name,
          campaignId: experiment.campaignId,
          variationId: variation.id,
        }
        await recordEvent(services.db, { headers: request.headers, site: scope }, { name: 'experiment_exposure', data })
      }
    }
    return reply.code(204).send()
  })

  void app.register(async (inner) => {
    setRoutesAction(inner, 'experiment.change')
    operatorRoutes(inner, services)
  })
}

const slot = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(layerSlots))
const name = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/))
const experimentInput = v.strictObject({
  name,
  state: v.picklist(states),
  type: v.picklist(['ab', 'aa']),
  layer: name,
  slots: v.pipe(
    v.strictTuple([slot, slot]),
    v.check(([from, until]) => from < until, 'slots are from and until'),
  ),
  markets: v.pipe(v.array(v.picklist(marketCodes)), v.minLength(1)),
  modes: v.pipe(v.array(v.picklist(modes)), v.minLength(1)),
  channels: v.optional(v.pipe(v.array(v.picklist(experimentChannels)), v.minLength(1)), [...experimentChannels]),
  segments: v.optional(v.array(name), []),
  variations: v.pipe(
    v.array(v.strictObject({ id: v.pipe(v.number(), v.integer(), v.minValue(1)), name, weight: v.pipe(v.number(), v.minValue(0)) })),
    v.minLength(2),
    v.maxLength(8),
    v.check((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two variations have one id'),
    v.check((all) => all.some(({ weight }) => weight > 0), 'no variation has a weight'),
  ),
})

function operatorRoutes(app: FastifyInstance, { asCommand, db }: Services): void {
  const base = '/api/v1/operator/experiments'
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
  app.get(base, async () => {
    const [rows, exposures] = await Promise.all([readExperiments(db), countExposures(db.reports)])
    return {
      experiments: rows.map(({ campaignId, definition, ...row }) => {
        const variations = definition.variations.map((variation) => ({
          ...variation,
          visitors: exposures.find((one) => one.campaignId === campaignId && one.variationId === variation.id)?.visitors ?? 0,
        }))
        return { campaignId, ...row, ...definition, variations, sampleRatio: sampleRatio(variations) }
      }),
    }
  })
  app.put<{ Params: { id: string } }>(`${base}/:id`, async ({ params, body }, reply) => {
    const input = v.safeParse(experimentInput, body)
    const campaignId = Number(params.id)
    if (!/^[1-9]\d{0,8}$/.test(params.id)) return reply.code(404).send({ error: 'There is no such experiment' })
    if (!input.success) return reply.code(400).send({ error: said(input.issues) })
    const { name: named, state, ...definition } = input.output
    const all = await readExperiments(db)
    const before = all.find((row) => row.campaignId === campaignId)
    const rival = all.find(
      (row) =>
        row.campaignId !== campaignId &&
        (row.name === named || (state === 'running' && row.state === 'running' && overlaps(row.definition, definition))),
    )
    if (rival) return reply.code(409).send({ error: `Experiment ${rival.campaignId} has this name, or slots of this layer` })
    await asCommand(async (scope) => {
      await writeExperiment(scope.db, { campaignId, name: named, state, definition })
      await purgePages(scope.db, [experimentsTag, ...new Set([...shellTags(definition), ...(before ? shellTags(before.definition) : [])])])
    })
    await loadExperiments(db)
    return reply.code(204).send()
  })
}

interface Slots {
  layer: string
  slots: readonly [number, number]
}
function overlaps(a: Slots, b: Slots): boolean {
  return a.layer === b.layer && a.slots[0] < b.slots[1] && b.slots[0] < a.slots[1]
}

function said(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues
    .map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
    .join('; ')
    .slice(0, 300)
}
