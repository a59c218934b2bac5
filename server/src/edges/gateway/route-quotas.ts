import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TooManyError, bears, settings, takeQuota, type Taken } from '#platform'

/** Counted by what they cost, before they work; and probes. */
const countedElsewhere = new Set<string>(['graphql.ask', 'search.use', 'health.see'])
const files = /^\/(?:pictures|documents|files)\//

const taken = new WeakMap<FastifyRequest, Extract<Taken, { ok: true }>>()

/**
 * Counts every request, of a route or of an unknown address, by its sender's network, before a session, a key or a signature is looked at.
 * What is known to come from a seller's program or a provider is given back (`giveBackRequest`); the operators' key is not counted.
 */
export function countRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { url = '', config } = request.routeOptions
    // An unknown address has no action.
    if (config.action !== undefined && countedElsewhere.has(config.action)) return
    const { authorization } = request.headers
    if (authorization !== undefined && bears(authorization, settings().keys.operator)) return
    const count = await takeQuota(files.test(url) ? 'file' : 'request', { address: request.ip })
    if (count.ok) return void taken.set(request, count)
    void reply.header('retry-after', String(count.retryAfterSeconds))
    throw new TooManyError(count.retryAfterSeconds)
  })
}

export async function giveBackRequest(request: FastifyRequest): Promise<void> {
  await taken.get(request)?.giveBack()
}
