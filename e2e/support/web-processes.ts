import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { ask, onItsOwn, type Answer, type RequestOptions } from './ask.ts'

/** A connection that stays open, and with it at one web process. */
export interface Connection {
  /** Name of the process: `web 1`. */
  process: string
  ask(options: Omit<RequestOptions, 'agent'>): Promise<Answer>
  close(): void
}

/** Requests by which a process is recognised: few others are sent there. */
const probe = '/api/v1/exchange-to-pro'
const probesEach = 20

/** Connections to two web processes of the shop. They accept from one socket; which of them has a connection is seen in its metrics. */
export async function connectToBoth(origin: string): Promise<[Connection, Connection]> {
  const found = new Map<string, Connection>()
  for (let tries = 0; tries < 5 && found.size < 2; tries++) {
    const agents = Array.from({ length: 24 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    // All at once, so that one process does not accept them all.
    await Promise.all(agents.map((agent) => ask(origin, { path: '/api/auth/csrf', headers: gb(origin), agent })))
    for (const agent of agents) {
      const name = found.size < 2 ? await processOf(origin, agent) : ''
      if (name === '' || found.has(name)) agent.destroy()
      else found.set(name, { process: name, ask: (options) => ask(origin, { ...options, agent }), close: () => agent.destroy() })
    }
  }
  const [one, two] = [...found.values()]
  assert.ok(one && two, 'both web processes accept connections')
  return [one, two]
}

const gb = (origin: string) => ({ host: `gb.localhost:${new URL(origin).port}` })

async function processOf(origin: string, agent: Agent): Promise<string> {
  const before = await countProbes(origin)
  for (let n = 0; n < probesEach; n++) await ask(origin, { path: probe, headers: gb(origin), agent })
  const after = await countProbes(origin)
  const grown = [...after].filter(([name, count]) => count - (before.get(name) ?? 0) > probesEach / 2)
  return grown.length === 1 ? (grown[0]?.[0] ?? '') : ''
}

/** By process. */
async function countProbes(origin: string): Promise<Map<string, number>> {
  const metrics = await (await fetch(`${origin}/metrics`, onItsOwn)).text()
  const counts = new Map<string, number>()
  for (const [, labels = '', count = ''] of metrics.matchAll(/^purlin_request_seconds_count\{([^}]*)\} (\d+)/gm)) {
    const name = /\bprocess="(web \d+)"/.exec(labels)?.[1]
    if (name && labels.includes(`route="${probe}"`)) counts.set(name, (counts.get(name) ?? 0) + Number(count))
  }
  return counts
}
