import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Pool, bears, isNear, settings } from '#platform'
import { metricsRegister } from '../../foundation/platform/metrics.ts'

export interface HealthOptions {
  pool: Pool
  /** True from the moment a stop was requested, so that load balancers send no more traffic. */
  isStopping: () => boolean
  /** Metrics of all processes, where they are aggregated; default: of this process. */
  metrics?: () => Promise<string>
}

const ping = { name: 'gateway.ping', text: 'select 1' }
/** Anybody may ask whether the shop is ready: the database is read for all of them together. */
const pingMs = 500

/** Liveness: the process responds. Readiness: it can do its work. */
export function healthRoutes(app: FastifyInstance, { pool, isStopping, metrics = () => metricsRegister.metrics() }: HealthOptions): void {
  let last: { at: number; answer: Promise<unknown> } | undefined
  const reached = (): Promise<unknown> => {
    if (!last || Date.now() - last.at >= pingMs) last = { at: Date.now(), answer: within(1000, pool.db.reads.row(ping)) }
    return last.answer
  }
  app.get('/health/live', { logLevel: 'silent', config: { action: 'health.see' } }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  )
  app.get('/health/ready', { logLevel: 'silent', config: { action: 'health.see' } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await reached()
      return await reply.send({ status: 'ready' })
    } catch {
      return reply.code(503).header('retry-after', '1').send({ status: 'no database' })
    }
  })
  // Metrics are for the operator: with METRICS_TOKEN only for its bearer. Without one they are closed on real domains, where
  // behind a proxy every client looks local, and elsewhere open to this machine and its private network.
  const { isPublic, keys, metricsPort } = settings()
  const mayRead = ({ headers, socket }: FastifyRequest): boolean =>
    metricsPort !== undefined
      ? false
      : keys.metrics
        ? bears(headers.authorization, keys.metrics)
        : !isPublic && headers['x-forwarded-for'] === undefined && isNear(socket.remoteAddress)
  app.get('/metrics', { logLevel: 'silent', config: { action: 'health.see' } }, async (request, reply) => {
    if (!mayRead(request)) return reply.callNotFound()
    return reply.type('text/plain; version=0.0.4').send(await metrics())
  })
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('late')), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
