import { flagOverrides, InvalidFlagValue, type FlagValues } from '@purlin/contract/flags.ts'
import type { FastifyInstance } from 'fastify'
import { flagValue } from '#flags'
import { lineQuota, log, StatusError } from '#platform'
import type { Services } from '../../edges/gateway/services.ts'
import { suggestAddresses } from './suggest-addresses.ts'

const statusOf = { off: 404, input: 400, 'too-often': 429 } as const

/** `GET /api/v1/address-suggestions?country=FR&text=7501`: the same for everybody, never cached. */
export function routes(app: FastifyInstance, services: Services): void {
  app.get<{ Querystring: { country?: unknown; text?: unknown } }>(
    '/api/v1/address-suggestions',
    { config: { action: 'site.see' } },
    async (request, reply) => {
      const { ip, query, headers } = request
      const scope = services.scopeOf(request)
      if (!scope) throw new StatusError(404, 'NOT_FOUND', 'No site is known for this host')
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      const isOn = await flagValue(scope, 'pepeAutocompleteAddress', overridesOf(headers.cookie))
      const answer = await suggestAddresses({ sender: ip, isOn }, { country: query.country, text: query.text })
      if (answer.ok) return answer.suggestions
      if (answer.reason === 'too-often') reply.header('retry-after', '60')
      return reply.code(statusOf[answer.reason]).send({ error: answer.reason })
    },
  )
}

const mayLog = lineQuota()

/** A tester's overrides; invalid ones are logged, and none are used. */
function overridesOf(cookie: string | undefined): FlagValues {
  try {
    return flagOverrides(cookie)
  } catch (error) {
    if (!(error instanceof InvalidFlagValue)) throw error
    if (mayLog()) log.warn({}, error.message.slice(0, 200))
    return {}
  }
}
