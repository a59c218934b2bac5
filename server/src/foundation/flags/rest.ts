import { flagNames, flags, InvalidFlagValue, isFlagName } from '@purlin/contract/flags.ts'
import { isMarket, isMode } from '@purlin/contract/markets.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { problemWithValue } from './announced-codes.ts'
import { setConfig, setFlag, unsetFlag, type Place } from './change-switches.ts'
import { configInputs, everywhere, isConfigKey, type ConfigKey } from './platform-config.ts'
import { readConfig, readConfigVersions, readFlags } from './store.ts'
import { forgetSwitches } from './switches.ts'
import { whatFlagsSwitch } from './what-flags-switch.ts'

/** What operators do with flags and platform config: list, set, remove; per market and mode, `*` for all. */
export function routes(app: FastifyInstance, services: Services): void {
  void app.register(async (inner) => {
    setRoutesAction(inner, 'flag.change')
    flagRoutes(inner, services)
    configRoutes(inner, services)
  })
}

type Handle = (place: Place, name: string, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

const at = (handle: Handle) => async (request: FastifyRequest, reply: FastifyReply) => {
  reply.header('cache-control', 'no-store')
  const { market, mode, name } = request.params as { market: string; mode: string; name: string }
  if ((market !== everywhere && !isMarket(market)) || (mode !== everywhere && !isMode(mode)))
    return reply.code(404).send({ error: 'There is no such storefront' })
  return handle({ market, mode }, name, request, reply)
}

function flagRoutes(app: FastifyInstance, { asCommand, db }: Services): void {
  const base = '/api/v1/operator/flags'
  app.get(base, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const rows = await readFlags(db)
    const listed = flagNames.map((name) => {
      return { name, ...flags[name], switches: whatFlagsSwitch[name], values: rows.filter((row) => row.name === name) }
    })
    return { flags: listed }
  })
  app.put(
    `${base}/:market/:mode/:name`,
    at(async (place, name, request, reply) => {
      const input = v.safeParse(v.strictObject({ value: v.unknown() }), request.body)
      if (!isFlagName(name)) return reply.code(404).send({ error: 'There is no such flag' })
      if (!input.success) return reply.code(400).send({ error: 'The body is {"value": …}' })
      try {
        await asCommand((scope) => setFlag(scope, place, name, input.output.value))
      } catch (error) {
        if (error instanceof InvalidFlagValue) return reply.code(400).send({ error: error.message })
        throw error
      }
      forgetSwitches()
      return reply.code(204).send()
    }),
  )
  app.delete(
    `${base}/:market/:mode/:name`,
    at(async (place, name, _request, reply) => {
      const removed = isFlagName(name) && (await asCommand((scope) => unsetFlag(scope, place, name)))
      forgetSwitches()
      return removed ? reply.code(204).send() : reply.code(404).send({ error: 'It is not set there' })
    }),
  )
}

const versionInput = v.strictObject({ value: v.unknown(), replaces: v.pipe(v.number(), v.integer(), v.minValue(0)) })

function configRoutes(app: FastifyInstance, { asCommand, db }: Services): void {
  const base = '/api/v1/operator/platform-config'
  app.get(base, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { config: await readConfig(db) }
  })
  app.get(
    `${base}/:market/:mode/:name`,
    at(async (place, key, _request, reply) =>
      isConfigKey(key)
        ? { versions: await readConfigVersions(db, { ...place, key }) }
        : reply.code(404).send({ error: 'There is no such key' }),
    ),
  )
  app.put(
    `${base}/:market/:mode/:name`,
    at(async (place, key, request, reply) => {
      if (!isConfigKey(key)) return reply.code(404).send({ error: 'There is no such key' })
      const input = v.safeParse(versionInput, request.body)
      const value = input.success ? readValue(key, input.output.value) : null
      if (!input.success || !value?.ok) return reply.code(400).send({ error: value?.ok === false ? value.problem : 'value and replaces' })
      const problem = await problemWithValue(db, { key, market: place.market, value: value.value })
      if (problem) return reply.code(409).send(problem)
      const written = await asCommand((scope) => setConfig(scope, place, { key, value: value.value, replaces: input.output.replaces }))
      forgetSwitches()
      return written ? reply.code(200).send({ version: input.output.replaces + 1 }) : reply.code(409).send({ error: 'replaced-meanwhile' })
    }),
  )
}

/** Null switches the key off. */
function readValue(key: ConfigKey, value: unknown) {
  if (value === null) return { ok: true as const, value: null }
  const read = v.safeParse(configInputs[key], value)
  if (read.success) return { ok: true as const, value: read.output }
  return { ok: false as const, problem: read.issues.map((issue) => `${v.getDotPath(issue) ?? 'value'}: ${issue.message}`).join('; ') }
}
