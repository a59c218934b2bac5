import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectProcessMetrics, metricsRegister } from '@purlin/server/foundation/platform/metrics.ts'
import { serveMetricsOn } from './metrics-port.ts'

collectProcessMetrics()

test('V-14 METRICS_PORT serves /metrics and nothing else, and says so when they cannot be gathered', async () => {
  let isBroken = false
  const server = await serveMetricsOn(0, () => (isBroken ? Promise.reject(new Error('no answer')) : metricsRegister.metrics()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = await fetch(`${url}/metrics`)
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /purlin_requests_refused_total/)
  for (const path of ['/', '/graphql', '/metrics/x']) assert.equal((await fetch(url + path)).status, 404)
  assert.equal((await fetch(`${url}/metrics`, { method: 'POST' })).status, 404)
  isBroken = true
  const failed = await fetch(`${url}/metrics`)
  assert.deepEqual([failed.status, failed.headers.get('retry-after')], [503, '5'])
  server.close()
})

test('V-14 METRICS_PORT asks for METRICS_TOKEN where there is one, and without one serves nobody through a proxy', async () => {
  const open = await serveMetricsOn(0, async () => 'purlin')
  const closed = await serveMetricsOn(0, async () => 'purlin', 'a token of the operator')
  const status = async (server: typeof open, headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`, { headers })).status
  assert.deepEqual([await status(open), await status(open, { 'x-forwarded-for': '203.0.113.9' })], [200, 404])
  assert.deepEqual([await status(closed), await status(closed, { authorization: 'Bearer guessed' })], [404, 404])
  assert.equal(await status(closed, { authorization: 'Bearer a token of the operator' }), 200)
  open.close()
  closed.close()
})

test('V-15 A67 at METRICS_PORT a reader of nothing is closed in time, and of its pipelined requests only the first is begun', async () => {
  let begun = 0
  const collect = async () => {
    begun++
    return 'x'.repeat(16_000_000)
  }
  const server = await serveMetricsOn(0, collect, '', { maxStillMs: 1500, checkMs: 100 })
  const closed = new Promise((resolve) => server.once('connection', (socket) => socket.once('close', () => resolve('closed'))))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  client.pause().write('GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(10))
  const outcome = await Promise.race([closed, sleep(20_000, 'open', { ref: false })])
  client.destroy()
  server.close()
  assert.deepEqual([outcome, begun], ['closed', 1])
})

test('V-12 V-14 every metric that the alerts and the dashboard name is there', async () => {
  const known = new Set(metricsRegister.getMetricsAsArray().flatMap(({ name }) => [name, `${name}_count`, `${name}_bucket`]))
  for (const file of ['../deploy/prometheus/alerts.yml', '../deploy/grafana/purlin.json']) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    const named = new Set(text.match(/\b(?:purlin|nodejs|process)_[a-z0-9_]+/g))
    assert.ok(named.size > 5, file)
    for (const name of named) assert.ok(known.has(name), `${file}: ${name}`)
  }
})
