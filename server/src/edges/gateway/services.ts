import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import type { FastifyRequest } from 'fastify'
import { createForeground, type Foreground } from './foreground.ts'
import { type Db, type JobScope, type Pool, type Scope, asCommand, logOf, newId, transaction } from '#platform'
import { type RequestScope, requestScope } from './request-scope.ts'
import { createTimeSlices, type Slices } from './time-slices.ts'

/** The services passed to a module's rest.ts. */
export interface Services {
  pool: Pool
  hosts: SiteHosts
  /** Null for an unknown host. The principal is resolved on demand: `await scope.personal()`. */
  scopeOf(request: FastifyRequest): RequestScope | null
  /** Runs an operation as one command of this request, as a GraphQL mutation does. */
  command<Value>(scope: RequestScope, operation: (scope: Scope) => Promise<Value>): Promise<Value>
  /** One transaction for a message from a machine: no site, no session, no principal. */
  asCommand<Value>(operation: (scope: JobScope) => Promise<Value>): Promise<Value>
  db: Db
  /** A queue of its own for long work that other requests go before (decision 069); once its body has been read, a request joins it. */
  openSlices(): InSlices
}

/** @throws UnavailableError if too many requests wait, or too many of one network are under way */
export type InSlices = <Value>(request: FastifyRequest, work: (slices: Slices) => Promise<Value>) => Promise<Value>

export function createServices(pool: Pool, hosts: SiteHosts, foreground: Foreground = createForeground()): Services {
  return {
    pool,
    hosts,
    db: pool.db,
    asCommand: (operation) =>
      asCommand(pool, ({ db, emit }) => {
        const requestId = newId()
        return operation({ now: new Date(), db, emit, requestId, log: logOf({ requestId }) })
      }),
    scopeOf: (request) => requestScope(pool, hosts, { headers: request.headers, remoteAddress: request.ip }),
    openSlices: () => {
      const slices = createTimeSlices({ othersUnderWay: foreground.underWay })
      return (request, work) => {
        foreground.leave(request.raw)
        return slices.run(work, request.ip)
      }
    },
    command: async (scope, operation) => transaction(await scope.personal(), operation),
  }
}
