import { Agent, request } from 'node:http'
import { startUnderTest } from '../conformance/under-test.ts'
import { hostileRequest, randomFrom, type HostileRequest } from './hostile.ts'

/** Longest time of a response. */
const slowMs = 1_000

export interface FuzzReport {
  requests: number
  /** Number of responses by status. */
  statuses: Record<number, number>
  /** Violations: 5xx, slower than a second three times in a row, an error without Algolia's shape. At most ten. */
  faults: { fault: string; sent: HostileRequest }[]
  slowestMs: number
}

/** Sends hostile requests to a fresh engine behind the API, sixteen at a time, and checks that it still responds correctly at the end. */
export async function fuzz(count: number, seed: number): Promise<FuzzReport> {
  const under = await startUnderTest()
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const random = randomFrom(seed)
  const report: FuzzReport = { requests: count, statuses: {}, faults: [], slowestMs: 0 }
  let left = count
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const sent = left % 20_000 === 7 ? huge() : hostileRequest(random)
      let [answer, took] = await timed(() => send(under.origin, agent, sent))
      // A request that is slow by itself is slow again; one that waited for a busy machine is not.
      for (let tries = 0; tries < 2 && took > slowMs; tries++) [answer, took] = await timed(() => send(under.origin, agent, sent))
      report.slowestMs = Math.max(report.slowestMs, took)
      report.statuses[answer.status] = (report.statuses[answer.status] ?? 0) + 1
      const fault = faultOf(answer, took, sent)
      if (fault && report.faults.length < 10) report.faults.push({ fault, sent })
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  const sane = await under.engine.search('goods', { query: 'lawn mower' })
  if (sane.nbHits !== 12)
    report.faults.push({ fault: `afterwards a plain search finds ${sane.nbHits} instead of 12`, sent: hostileRequest(random) })
  agent.destroy()
  await under.close()
  return report
}

async function timed<Value>(act: () => Promise<Value>): Promise<[Value, number]> {
  const started = performance.now()
  const value = await act()
  return [value, performance.now() - started]
}

function huge(): HostileRequest {
  return {
    method: 'POST',
    path: '/1/indexes/goods/query',
    headers: { 'x-algolia-api-key': 'conformance-search' },
    body: Buffer.alloc(10_000_000, 'a'),
  }
}

function faultOf(answer: { status: number; body: string }, took: number, sent: HostileRequest): string | null {
  if (answer.status >= 500) return `status ${answer.status}: ${answer.body.slice(0, 200)}`
  if (took > slowMs) return `took ${Math.round(took)} ms`
  if (answer.status < 400 || sent.method === 'HEAD' || answer.body === '') return null
  try {
    const { message, status } = JSON.parse(answer.body) as { message?: unknown; status?: unknown }
    return typeof message === 'string' && message !== '' && status === answer.status
      ? null
      : `error without message and status: ${answer.body.slice(0, 200)}`
  } catch {
    return `error that is not JSON: ${answer.body.slice(0, 200)}`
  }
}

function send(origin: string, agent: Agent, sent: HostileRequest): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request(`${origin}/search-engine${sent.path}`, { method: sent.method, headers: sent.headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
    })
    // A body refused half way may cost the connection; the response has arrived before.
    call.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' || error.code === 'ECONNRESET' ? resolve({ status: 413, body: '' }) : reject(error),
    )
    call.end(sent.body)
  })
}
