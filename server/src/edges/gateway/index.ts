import { existsSync } from 'node:fs'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayExecute, GatewayTakeUpload } from '@purlin/contract/gateway.ts'
import type { SiteHosts, SiteSettings } from '@purlin/contract/site-settings.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { stranger } from '#accounts'
import { apiKeyDoor, keyDoor } from '#integrations'
import { type Pool, StatusError, log, networkOf, newId, settings, takeQuota } from '#platform'
import { takeUpload } from '#uploads'
import { measureResponse, nameRoute } from '../../foundation/platform/request-metrics.ts'
import { nameRequestSpan, traceRequest } from '../../foundation/platform/tracing.ts'
import { waitingQueues, type Leave, type RequestKind } from '../../foundation/platform/waiting-queues.ts'
import { cutSilentReaders, oneAtATime } from '../../foundation/platform/slow-readers.ts'
import { countQuotasIn } from '../../foundation/platform/quotas.ts'
import { moduleFolders } from '../../modules.ts'
import { defaultHeaders } from './default-headers.ts'
import { errorAnswer } from './error-answer.ts'
import { connectModules } from '../connect-modules.ts'
import { type ExecuteOptions, createExecute } from './execute.ts'
import { graphqlRoutes } from './graphql-routes.ts'
import { busyAnswer, holdBack, type BusyAnswer } from './busy.ts'
import { limitConnections } from './connections.ts'
import { createForeground } from './foreground.ts'
import { type DocumentsProcess, forwardForeign } from './foreign-documents.ts'
import { cleanForwardedFor } from './forwarded-for.ts'
import { type HealthOptions, healthRoutes } from './health-routes.ts'
import { jobRoutes } from './job-routes.ts'
import { limits } from './limits.ts'
import { mailPreviews } from './mail-previews.ts'
import { answerMalformed } from './malformed.ts'
import { admitsHead, passOnOddHeads } from './admits-head.ts'
import { admitsBody } from './body-encoding.ts'
import { boundBodies, maxUploadMs } from './body-time.ts'
import { rankSenders } from './rank-senders.ts'
import { comesFromProxy, remoteAddressBehind } from './remote-address.ts'
import { kindOf } from './request-kind.ts'
import { sendFailure } from './send-failure.ts'
import { requestScope } from './request-scope.ts'
import { guardRoutes, setRoutesAction, type MountedRoute } from './route-actions.ts'
import { type Services, createServices } from './services.ts'

export type { Services } from './services.ts'
export type { RequestScope } from './request-scope.ts'
export type { InnerAnswer } from './execute.ts'
export { secretHeader } from './foreign-documents.ts'

export interface GatewayOptions {
  pool: Pool
  hosts: SiteHosts
  /** Resolvers and routes by module, for tests; default: every module's graphql.ts and rest.ts. */
  edges?: ExecuteOptions['edges']
  schema?: string
  metrics?: HealthOptions['metrics']
  /** Proxies whose X-Forwarded-* headers are trusted. */
  trustProxy?: string
  /** The process that executes documents of strangers; without one they are executed here. */
  documents?: DocumentsProcess | undefined
}

export interface Gateway {
  app: FastifyInstance
  /** Every route with its action. */
  routes: readonly MountedRoute[]
  server: Server
  execute: GatewayExecute
  /** Stores a file uploaded with a storefront form. */
  takeUpload: GatewayTakeUpload
  /** The client's network address, behind trusted proxies. */
  remoteAddress(req: IncomingMessage): string
  /** The network of that address: an IPv6 line has a whole /64. */
  networkOf(req: IncomingMessage): string
  /** A turn for a page of this kind; null when the process is too busy for it. */
  enter(kind: RequestKind, response: ServerResponse): Promise<Leave | null>
  /** The answer to a page that gets no turn. */
  busyAnswer(req: IncomingMessage): BusyAnswer
  /** Counts a page or a search of this address; returns the seconds to wait if it has used up its quota. */
  admit(kind: 'page' | 'search', remoteAddress: string): Promise<number | null>
  /** Lets the storefront handle requests first; it returns false for addresses that are not its own. */
  mount(handler: (req: IncomingMessage, res: ServerResponse) => boolean): void
  /** For the storefront's guard: the principal of a session cookie. */
  findPrincipal(cookieHeader: string, site: SiteSettings): Promise<Principal>
  /** From now on readiness is false and every connection closes with its next response; new ones are accepted as before. */
  announceStop(): void
  /** Stops accepting connections, answers requests in flight and on open connections, then closes. */
  close(): Promise<void>
}

/** GraphQL, the modules' REST routes, health and metrics on one server; listen on `server`. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { pool, hosts } = options
  if (settings().quotaStore === 'postgres') countQuotasIn(pool)
  let before: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined
  let stopping = false
  const open = new Set<Socket>()
  const queues = waitingQueues()
  const foreground = createForeground()
  const remoteAddress = remoteAddressBehind(options.trustProxy)
  const isProxy = comesFromProxy(options.trustProxy)
  const app = fastify({
    bodyLimit: limits.bodyBytes,
    trustProxy: options.trustProxy ?? false,
    requestTimeout: maxUploadMs,
    connectionTimeout: maxUploadMs,
    return503OnClosing: true,
    genReqId: () => newId(),
    // Fastify refuses these itself otherwise, without the headers of every other answer. (V-18)
    frameworkErrors: ({ statusCode: status = 400 }, request, reply) =>
      void sendFailure(request, reply.headers(defaultHeaders), { status, message: 'The address is invalid' }, hosts),
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformed,
    serverFactory: (handler) => {
      const server = createServer(
        // Node looks for late headers every 30 s otherwise, and a slow sender would have 40.
        {
          keepAliveTimeout: 65_000,
          headersTimeout: 10_000,
          connectionsCheckingInterval: 2000,
          requestTimeout: maxUploadMs,
          maxHeaderSize: 16_384,
        },
        (req, res) => oneAtATime(req, res, () => answer(req, res)),
      )
      const answer = (req: IncomingMessage, res: ServerResponse) => {
        // A streamed answer has eleven: Node warns of a leak beyond ten.
        res.setMaxListeners(20)
        measureResponse(res)
        boundBodies(req)
        cleanForwardedFor(req, isProxy(req))
        if (stopping) res.setHeader('connection', 'close')
        foreground.enter(req, res)
        if (!admits(req, res) || !admitsHead(req, res, hosts) || !admitsBody(req, res, hosts)) return
        traceRequest(
          req,
          res,
          () => isProxy(req),
          () => {
            if (!before?.(req, res)) handler(req, res)
          },
        )
      }
      passOnOddHeads(server)
      cutSilentReaders(server)
      server.maxConnections = 4000
      server.on('connection', (socket: Socket) => {
        open.add(socket)
        socket.once('close', () => open.delete(socket))
        if (open.size > server.maxConnections) socket.destroy()
      })
      const admits = limitConnections(server, { hosts, addressOf: remoteAddress })
      return server
    },
  })
  // Before the routes: a route uses the error handler present when it is registered.
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }))
  app.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode
    // Fastify's errors for requests it could not parse: too large, invalid JSON, unknown type.
    if (status && status < 500) return sendFailure(request, reply, { status, message: (error as Error).message }, hosts)
    if (isCutForm(error)) return sendFailure(request, reply, { status: 400, message: 'The form ends before its last part does' }, hosts)
    const { message, extensions } = errorAnswer(error, { requestId: String(request.id), log })
    if (extensions?.retryAfter !== undefined) reply.header('retry-after', String(extensions.retryAfter))
    return sendFailure(request, reply, { status: extensions?.status ?? 500, message }, hosts)
  })
  // Each route may override this; no response goes out without it.
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(defaultHeaders)) if (!reply.hasHeader(name)) reply.header(name, value)
  })
  app.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    nameRequestSpan(request.raw, route)
    nameRoute(reply.raw, 'api', route)
  })
  const ranked = rankSenders(remoteAddress)
  const enter: Gateway['enter'] = async (kind, response) => {
    const leave = await queues.enter(ranked(kind, response), response)
    if (!leave && !isProxy(response.req)) holdBack(response)
    return leave
  }
  const { execute, refuseAtOnce } = await createExecute({
    pool,
    hosts,
    edges: options.edges,
    schema: options.schema,
    othersUnderWay: foreground.underWay,
  })
  const leaveForeground = ({ raw }: FastifyRequest) => foreground.leave(raw)
  if (options.documents) forwardForeign(app, { ...options.documents, leaveForeground, refuseAtOnce })
  const leaveTurn = takeTurns(app, { enter, hosts })
  const routes = guardRoutes(app, { ...createServices(pool, hosts), admitKey: keyDoor(pool.db) })
  graphqlRoutes(app, {
    execute,
    hosts,
    admitApiKey: apiKeyDoor(pool.db),
    leaveForeground,
    leaveTurn,
  })
  healthRoutes(app, { pool, isStopping: () => stopping, metrics: options.metrics })
  connectModules()
  if (!options.edges) {
    await app.register(async (inner) => {
      setRoutesAction(inner, 'work.manage')
      jobRoutes(inner, createServices(pool, hosts))
    })
    await app.register(async (inner) => {
      setRoutesAction(inner, 'mailbox.see')
      await mailPreviews(inner, hosts)
    })
    await restRoutes(app, createServices(pool, hosts, foreground))
  }
  await app.ready()
  return {
    app,
    routes,
    server: app.server,
    execute,
    takeUpload: async ({ headers, remoteAddress, name, source }) => {
      const scope = requestScope(pool, hosts, { headers, ...(remoteAddress !== undefined && { remoteAddress }) })
      if (!scope) throw new StatusError(404, 'NOT_FOUND', 'No site is known for this host')
      return { ...(await takeUpload(await scope.personal(), { name, source })), setCookies: scope.setCookies }
    },
    remoteAddress,
    networkOf: (req) => networkOf(remoteAddress(req)),
    enter,
    busyAnswer: (req) => busyAnswer(req, hosts),
    admit: async (kind, address) => {
      const taken = await takeQuota(kind, { address })
      return taken.ok ? null : taken.retryAfterSeconds
    },
    mount: (handler) => {
      before = handler
    },
    findPrincipal: async (cookieHeader, site) => {
      const scope = requestScope(pool, hosts, { headers: { host: site.host, cookie: cookieHeader } })
      return scope ? (await scope.personal()).principal : stranger
    },
    announceStop: () => {
      stopping = true
    },
    close: async () => {
      stopping = true
      queues.stop()
      await drain(app.server, open)
      await app.close().catch(() => undefined)
    },
  }
}

/** Requests work in turns, from the arrival of the whole body until the response is made, or until the returned function ends the turn. */
function takeTurns(
  app: FastifyInstance,
  { enter, hosts }: { enter: Gateway['enter']; hosts: SiteHosts },
): (request: FastifyRequest) => void {
  const turns = new WeakMap<FastifyRequest, Leave>()
  app.addHook('preHandler', async (request, reply) => {
    const kind = kindOf(request)
    if (kind === null) return
    const leave = await enter(kind, reply.raw)
    if (!leave) {
      const { headers, body } = busyAnswer(request.raw, hosts)
      return reply.code(503).headers(headers).send(body)
    }
    turns.set(request, leave)
    reply.raw.once('close', leave)
    return undefined
  })
  app.addHook('onSend', async (request) => turns.get(request)?.())
  return (request) => turns.get(request)?.()
}

/** Long enough for a connection in transit from the accepting process to arrive, or to be returned. */
const graceMs = 400
const maxDrainMs = 8000

/**
 * Stops listening without cutting idle connections at once, as `server.close` of HTTP would: from now on every response
 * announces that its connection closes, and idle connections are closed shortly after.
 */
async function drain(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return
  NetServer.prototype.close.call(server)
  const end = Date.now() + maxDrainMs
  await sleep(graceMs)
  // The server itself counts only the connections that it has accepted, not those it was given.
  while (open.size > 0 && Date.now() < end) {
    server.closeIdleConnections()
    await sleep(50)
  }
  server.closeAllConnections()
}

async function restRoutes(app: FastifyInstance, services: Services): Promise<void> {
  for (const folder of moduleFolders) {
    const file = join(import.meta.dirname, '../..', folder, 'rest.ts')
    if (!existsSync(file)) continue
    const { routes } = (await import(file)) as { routes?: (app: FastifyInstance, services: Services) => void | Promise<void> }
    // A scope of its own: one module's content parsers and hooks do not affect the others.
    if (routes) await app.register(async (inner) => routes(inner, services))
  }
}

/** The parser of forms with files names its errors by their text alone. */
function isCutForm(error: unknown): boolean {
  return error instanceof Error && /unexpected end of multipart data|^Multipart: Boundary not found/i.test(error.message)
}
