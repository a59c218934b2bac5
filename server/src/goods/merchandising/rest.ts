import { AsyncLocalStorage } from 'node:async_hooks'
import { consentOf, visitorIdOf } from '@purlin/contract/consent.ts'
import { isMarket, type Market } from '@purlin/contract/markets.ts'
import { createWire, type ApiKey } from '@purlin/search/wire/index.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { isIssuedVisitor } from '#consent'
import { lineHashOf, log, newId, requireQuota, settings, takeQuota, type JobScope } from '#platform'
import { rankingSignals, searchEngine } from '#listing'
import { addDays, localDay } from '#pricing'
import { defaultHeaders } from '../../edges/gateway/default-headers.ts'
import { errorAnswer } from '../../edges/gateway/error-answer.ts'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { categoryFigures, popularQueries, queriesWithoutResults } from './analytics-store.ts'
import { putRule, putSynonym, removeRule, removeSynonym, setLearning, setStopWords, setWeights } from './change-levers.ts'
import { rankerDays, weightsInUse } from './learn-ranking.ts'
import { learningInput, leverId, ruleInput, stopWordsInput, synonymInput, weightsInput } from './levers.ts'
import { readLearns, readRules, readSynonyms, readTuning } from './store.ts'
import { choicesOf, takeChoices } from './take-events.ts'
import { mountListEvents } from './list-events.ts'
import { noteSearch } from './watch-searches.ts'

/** The search API for client libraries (R-545), and the operators' settings behind their key. */
export function routes(app: FastifyInstance, services: Services): void {
  mountWire(app, services)
  mountListEvents(app, { ...services, isOwnOrigin })
  void app.register(async (inner) => {
    setRoutesAction(inner, 'search.tune')
    operatorRoutes(inner, services)
  })
}

/** The address of the request being answered: the engine's interface has no place for it. */
const senders = new AsyncLocalStorage<{ address: string; isAdmin: boolean; request: FastifyRequest }>()

function mountWire(app: FastifyInstance, { asCommand, openSlices }: Services): void {
  const inSlices = openSlices()
  const { search: publicKey, searchAdmin: adminKey } = settings().keys
  const keys: ApiKey[] = [
    // The public key: searches and events, on the product indexes only.
    { key: publicKey, rights: ['search', 'events'], indexes: ['products_*', 'queries_*'] },
    ...(adminKey ? [{ key: adminKey, rights: ['search', 'browse', 'write', 'settings', 'events', 'list'] } satisfies ApiKey] : []),
  ]
  const engine = new Proxy({} as ReturnType<typeof searchEngine>, {
    // Connected after the routes are registered; events go to our own tables, which the order of searches is learned from.
    get: (_target, name) => {
      if (name === 'events')
        return async (events: Parameters<typeof choicesOf>[0]) => {
          const { address, request } = senders.getStore() ?? {}
          const choices = choicesOf(events)
          // Beyond its quota a sender gets the same response, and nothing is stored.
          const taken = await takeQuota('search-event', { address, line: address }, Math.max(1, choices.length))
          // Anybody can invent an id: nothing is learned from visitors who did not get theirs from us.
          const visitorId = request && visitorIdOf(request)
          const line = visitorId && isIssuedVisitor(visitorId) ? lineHashOf(address) : null
          return taken.ok ? asCommand((scope: JobScope) => takeChoices(scope, choices, line)) : 0
        }
      const target = searchEngine()
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  const wire = createWire({
    engine,
    keys,
    basePath: '/search-engine',
    // The request itself has been counted as one.
    mayTake: async (parts) => {
      const sender = senders.getStore()
      if (sender && !sender.isAdmin && parts > 1) await requireQuota('search', { address: sender.address }, parts - 1)
    },
    // Searches run in this process: listings and everything else go before those of strangers.
    schedule: (searches) => {
      const sender = senders.getStore()
      if (!sender) throw new Error('A search has a sender')
      return inSlices(sender.request, ({ inTurn }) => searches(inTurn))
    },
    mayTakeEvents: (request) => consentOf(request).allows('userPreferences'),
    onAnswers: (answers) => {
      for (const { index = '', query, nbHits, page, queryID, objectIDs } of answers) {
        const market = /^products_([a-z]{2})/.exec(index)?.[1]
        if (isMarket(market) && page === 0) noteSearch({ market, query, results: nbHits, queryId: queryID, shown: objectIDs })
      }
    },
    onError: (error) => {
      const { message, extensions } = errorAnswer(error, { requestId: newId(), log })
      return { status: extensions?.status ?? 500, message, retryAfter: extensions?.retryAfter }
    },
  })
  void app.register((inner, _options, done) => {
    // The search API parses bodies itself: official clients send JSON as text/plain.
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    inner.all('/search-engine/*', { config: { action: 'search.use' } }, async (request, reply) => {
      const isAdmin = Boolean(adminKey) && request.headers['x-algolia-api-key'] === adminKey
      if (!isAdmin) await requireQuota('search', { address: request.ip })
      reply.hijack()
      for (const [name, value] of Object.entries(defaultHeaders)) reply.raw.setHeader(name, value)
      await senders.run({ address: request.ip, isAdmin, request }, () => wire(request.raw, reply.raw))
    })
    done()
  })
}

function operatorRoutes(app: FastifyInstance, { asCommand, db }: Services): void {
  const base = '/api/v1/operator/search/:market'
  const answer =
    (handle: (market: Market, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { market } = request.params as { market: string }
      if (!isMarket(market)) return reply.code(404).send({ error: 'No such market' })
      return handle(market, request, reply)
    }
  /** One change: id and body validated, then one transaction; 204. */
  const change = <Schema extends v.GenericSchema>(
    schema: Schema,
    apply: (scope: JobScope, market: Market, id: string, input: v.InferOutput<Schema>) => Promise<unknown>,
  ) =>
    answer(async (market, request, reply) => {
      const id = v.safeParse(v.optional(leverId, 'none'), (request.params as { id?: string }).id)
      const input = v.safeParse(schema, request.body)
      if (!id.success || !input.success) return reply.code(400).send({ error: said([...(id.issues ?? []), ...(input.issues ?? [])]) })
      await asCommand((scope) => apply(scope, market, id.output, input.output))
      return reply.code(204).send()
    })
  const removal = (remove: (scope: JobScope, market: Market, id: string) => Promise<boolean>) =>
    answer(async (market, request, reply) => {
      const { id } = request.params as { id: string }
      const was = await asCommand((scope) => remove(scope, market, id))
      return was ? reply.code(204).send() : reply.code(404).send({ error: 'There is none with this id' })
    })

  app.get(
    `${base}/synonyms`,
    answer((market) => readSynonyms(db, market)),
  )
  app.put(`${base}/synonyms/:id`, change(synonymInput, putSynonym))
  app.delete(`${base}/synonyms/:id`, removal(removeSynonym))
  app.get(
    `${base}/rules`,
    answer((market) => readRules(db, market)),
  )
  app.put(`${base}/rules/:id`, change(ruleInput, putRule))
  app.delete(`${base}/rules/:id`, removal(removeRule))
  app.get(
    `${base}/tuning`,
    answer((market) => readTuning(db, market)),
  )
  app.put(
    `${base}/stop-words`,
    change(stopWordsInput, (scope, market, _id, words) => setStopWords(scope, market, words)),
  )
  app.put(
    `${base}/weights`,
    change(weightsInput, (scope, market, _id, weights) => setWeights(scope, market, weights)),
  )
  app.get(
    `${base}/learning`,
    answer(async (market) => {
      const now = new Date()
      const [enabled, weights, days] = await Promise.all([
        readLearns(db, market),
        weightsInUse(db, market, now),
        rankerDays(db, market, now),
      ])
      return { enabled, signals: rankingSignals, weights, days }
    }),
  )
  app.put(
    `${base}/learning`,
    change(learningInput, (scope, market, _id, { enabled }) => setLearning(scope, market, enabled)),
  )
  app.get(
    `${base}/analytics`,
    answer(async (market, request, reply) => {
      const asked = v.safeParse(period, request.query)
      if (!asked.success) return reply.code(400).send({ error: said(asked.issues) })
      const { limit, to = localDay(market, new Date()), from = addDays(to, -30) } = asked.output
      const [popular, withoutResults, categories] = await Promise.all([
        popularQueries(db.reports, market, from, to, limit),
        queriesWithoutResults(db.reports, market, from, to, limit),
        categoryFigures(db.reports, market, from, to, limit),
      ])
      return { from, to, popular, withoutResults, categories }
    }),
  )
}

/** A valid calendar date: February has no 30th. */
const day = v.pipe(
  v.string(),
  v.isoDate(),
  v.check((text) => Number.isFinite(Date.parse(text)) && addDays(text, 0) === text, 'There is no such day'),
)
/** Days in the market's calendar, as searches are counted; the last 30 by default. */
const period = v.object({
  from: v.optional(day),
  to: v.optional(day),
  limit: v.optional(v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1), v.maxValue(1000)), '100'),
})

function said(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map((issue) => `${v.getDotPath(issue) ?? 'value'}: ${issue.message}`).join('; ')
}
