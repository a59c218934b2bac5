import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { cancelJob, findJob, jobStates, listDeadEvents, listJobs, retryEvent, retryJob } from '#platform'
import type { Services } from './services.ts'

const base = '/api/v1/operator'
const printable = (longest: number) => v.pipe(v.string(), v.maxLength(longest), v.regex(/^[^\p{Cc}\p{Cs}]*$/u))
const limit = v.optional(v.pipe(v.string(), v.regex(/^\d{1,4}$/), v.transform(Number), v.minValue(1), v.maxValue(1000)), '100')
const query = v.object({ state: v.optional(v.picklist(jobStates)), name: v.optional(printable(100)), limit })
const job = v.object({ name: printable(100), key: printable(500) })
const uuid = v.pipe(v.string(), v.uuid())

/** Jobs and dead letters for operators: list, progress, retry, cancel. */
export function jobRoutes(app: FastifyInstance, { asCommand, db }: Services): void {
  const operators =
    (handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store')
      return handle(request, reply)
    }
  const ofJob = (handle: (name: string, key: string, reply: FastifyReply) => Promise<unknown>) =>
    operators(async (request, reply) => {
      const asked = v.safeParse(job, request.params)
      return asked.success ? handle(asked.output.name, asked.output.key, reply) : reply.code(404).send({ error: 'There is no such job' })
    })

  app.get(
    `${base}/jobs`,
    operators(async (request, reply) => {
      const asked = v.safeParse(query, request.query)
      if (!asked.success) return reply.code(400).send({ error: `state is one of ${jobStates.join(', ')}; limit is from 1 to 1000` })
      return listJobs(db, asked.output)
    }),
  )
  app.get(
    `${base}/jobs/:name/:key`,
    ofJob(async (name, key, reply) => (await findJob(db, name, key)) ?? reply.code(404).send({ error: 'There is no such job' })),
  )
  app.post(
    `${base}/jobs/:name/:key/retry`,
    ofJob(async (name, key, reply) =>
      (await asCommand((scope) => retryJob(scope.db, name, key)))
        ? reply.code(204).send()
        : reply.code(404).send({ error: 'There is no such dead letter' }),
    ),
  )
  app.post(
    `${base}/jobs/:name/:key/cancel`,
    ofJob(async (name, key, reply) => {
      const outcome = await asCommand((scope) => cancelJob(scope.db, name, key))
      return outcome ? { outcome } : reply.code(404).send({ error: 'There is no such job' })
    }),
  )
  app.get(
    `${base}/dead-events`,
    operators(async (request, reply) => {
      const asked = v.safeParse(v.object({ limit }), request.query)
      return asked.success ? listDeadEvents(db, asked.output.limit) : reply.code(400).send({ error: 'limit is from 1 to 1000' })
    }),
  )
  app.post(
    `${base}/dead-events/:id/retry`,
    operators(async (request, reply) => {
      const asked = v.safeParse(v.object({ id: uuid }), request.params)
      const was = asked.success && (await asCommand((scope) => retryEvent(scope.db, asked.output.id)))
      return was ? reply.code(204).send() : reply.code(404).send({ error: 'There is no such dead letter' })
    }),
  )
}
