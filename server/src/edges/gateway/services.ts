import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import type { FastifyRequest } from 'fastify'
import { type Db, type JobScope, type Pool, type Scope, asCommand, logOf, newId, transaction } from '#platform'
import { type RequestScope, requestScope } from './request-scope.ts'

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
}

export function createServices(pool: Pool, hosts: SiteHosts): Services {
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
    command: async (scope, operation) => transaction(await scope.personal(), operation),
  }
}
