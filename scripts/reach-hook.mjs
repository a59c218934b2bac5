/**
 * Preloaded into every test process: marks the tests that reach the product, that is, during which an HTTP request was
 * sent or a Fastify route answered. The mark travels as a diagnostic; `run-tests.ts` takes it out of the report.
 */
import { subscribe } from 'node:diagnostics_channel'
import { afterEach, beforeEach } from 'node:test'

let requests = 0
const count = () => void requests++
for (const channel of ['http.client.request.start', 'undici:request:create', 'tracing:fastify.request.handler:start'])
  subscribe(channel, count)
// Jobs have no request: the worker's test harness says so itself.
subscribe('purlin:job', count)

beforeEach(() => {
  requests = 0
})
afterEach((context) => {
  if (requests > 0) context.diagnostic(`purlin:reached ${context.name}`)
})
