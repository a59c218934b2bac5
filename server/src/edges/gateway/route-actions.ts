import { actions, isAnonymous, isForStaff, reachOf, type Action, type PersonalAction } from '@purlin/contract/actions.ts'
import { isMarket } from '@purlin/contract/markets.ts'
import { operatorRoles, type Actor } from '@purlin/contract/principal.ts'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { staffOf, stranger } from '#accounts'
import { sendProblem, type KeyDoor, type KeyHolder, type KeyScope } from '#integrations'
import { isOwnOrigin } from './own-origin.ts'
import { StartError, bears, settings } from '#platform'
import { countRequests, giveBackRequest } from './route-quotas.ts'
import type { Services } from './services.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's action from contract/src/actions.ts, which decides who may call it. */
    action?: Action
    /** Scope of a seller's key that opens the route; sessions and the operators' key do not. */
    keyScope?: KeyScope
    /** Reads files while it works, so a POST waits in no queue and may take longer to arrive. */
    takesFiles?: true
    /** Throws unless the message of a provider is signed: signed ones wait with checkouts, others behind everything else. */
    verify?: (message: Pick<FastifyRequest, 'body' | 'headers'>) => unknown
  }
}

const holders = new WeakMap<FastifyRequest, KeyHolder>()

/** The holder of the key that opened the route. */
export function holderOf(request: FastifyRequest): KeyHolder | undefined {
  return holders.get(request)
}

const operators = new WeakMap<FastifyRequest, string>()

/** Who uses an operators' route: the id of a member of staff, or that of the operators' key. */
export function operatorOf(request: FastifyRequest): string {
  return operators.get(request) ?? keyHolder.id
}

/** The operators' key grants every operator action in every market. */
const keyHolder = {
  kind: 'operator',
  id: 'operator-key',
  email: null,
  name: 'operator key',
  roles: operatorRoles.map((role) => ({ role, market: null })),
} satisfies Actor

/** A route as it is mounted. */
export type MountedRoute = Pick<RouteOptions, 'method' | 'url' | 'config'>

/**
 * Every route names its action, or the process does not start; a route whose action is not permitted is not run. Returns
 * the routes, a list that grows until the app is ready.
 */
export function guardRoutes(
  app: FastifyInstance,
  { scopeOf, admitKey }: Pick<Services, 'scopeOf'> & { admitKey?: KeyDoor },
): readonly MountedRoute[] {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const nameless = routes.filter(({ config }) => config?.action === undefined || !Object.hasOwn(actions, config.action))
    if (nameless.length)
      throw new StartError(`Routes without an action of contract/src/actions.ts: ${nameless.map(({ url }) => url).join(', ')}`)
  })
  countRequests(app)
  // A provider may send as much as it likes; only what it did not sign counts.
  app.addHook('onSend', async (request, reply) => {
    const { action } = request.routeOptions.config
    if (action !== undefined && 'provider' in actions[action] && reply.statusCode < 400) await giveBackRequest(request)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { action, keyScope } = request.routeOptions.config
    if (action === undefined || isAnonymous(action)) return undefined
    if (keyScope !== undefined) {
      const admitted = await admitKey?.(request.headers.authorization, { scope: keyScope, action })
      if (admitted?.ok === false && admitted.retryAfterSeconds) void reply.header('retry-after', String(admitted.retryAfterSeconds))
      if (!admitted?.ok) return sendProblem(reply, admitted?.status ?? 401, admitted?.code ?? 'key-invalid')
      await giveBackRequest(request)
      holders.set(request, admitted.holder)
      return undefined
    }
    const { market } = (request.params ?? {}) as { market?: unknown }
    const at = isMarket(market) ? market : null
    if (reachOf(actorOf(request, action), action, at) !== null) return undefined
    const isForCustomers = 'customer' in actions[action] || 'member' in actions[action]
    if (isForCustomers || isForStaff(action)) {
      const scope = scopeOf(request)
      const acting = await scope?.personal(action)
      if (scope && acting && reachOf(acting.principal, action, at ?? (isForCustomers ? acting.market : null)) !== null) {
        const staff = staffOf(acting)
        if (staff) operators.set(request, staff.id)
        if (isForCustomers || request.method === 'GET' || isOwnOrigin(request, scope.site)) return undefined
        return reply.header('cache-control', 'no-store').code(403).send({ error: 'This request does not come from our own pages' })
      }
    }
    const error = isForCustomers ? 'Sign in to do this' : 'The operator key is missing or wrong'
    return reply.header('cache-control', 'no-store').code(401).send({ error })
  })
  return routes
}

/** Assigns this action to all routes of the instance. */
export function setRoutesAction(app: FastifyInstance, action: Action): void {
  app.addHook('onRoute', (route) => void (route.config = { action, ...route.config }))
}

function actorOf(request: FastifyRequest, action: PersonalAction): Actor {
  // Authenticated by the message's signature, which the route verifies before anything else.
  if ('provider' in actions[action]) return { kind: 'provider' }
  return bears(request.headers.authorization, settings().keys.operator) ? keyHolder : stranger
}
