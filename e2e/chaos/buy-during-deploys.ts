import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { draftAs, pay, place } from '../faults/buyer.ts'
import { newGuest } from '../faults/shop-process.ts'

interface Deploys {
  port: number
  /** Ids of the web processes now. */
  webProcesses: () => number[]
  /** Id of the process that executes documents of programs, if there is one. */
  documentsProcess: () => number[]
  worker: () => number[]
  offers: readonly string[]
  buyers: number
  deploys: number
  /** Time from the beginning of one to the beginning of the next. */
  everyMs: number
}

export interface Deployed {
  requests: number
  /** Requests that had no answer or another one than expected, and orders that were refused. */
  failed: string[]
  placed: string[]
  paid: string[]
  /** Processes in whose place another one is ready. */
  replaced: number
}

/**
 * Guests buy over new connections, and visitors and programs read over new and over kept ones, while all web processes, the process
 * for documents and the worker are replaced one by one, again and again (F14).
 */
export async function buyDuringDeploys({ port, offers, buyers, deploys, everyMs, ...processes }: Deploys): Promise<Deployed> {
  const done: Deployed = { requests: 0, failed: [], placed: [], paid: [], replaced: 0 }
  let over = false
  let turn = 0
  const buyOne = async (): Promise<void> => {
    const offer = offers[turn++ % offers.length] ?? ''
    const guest = newGuest(port, { onFailure: (what) => done.failed.push(what), onRequest: () => done.requests++ })
    const made = await draftAs(guest, offer, `deploy${turn}@example.com`)
    const outcome = await place(made)
    // There is plenty of everything.
    if (outcome !== 'sold') return void done.failed.push(`an order was refused: ${outcome}`)
    done.placed.push(made.orderId)
    await pay(made, '4000000000000002')
    done.paid.push(made.orderId)
  }
  const buy = async (): Promise<void> => {
    for (; !over; await sleep(50))
      await buyOne().catch((error: unknown) =>
        done.failed.push(`a purchase ended: ${error instanceof Error ? error.message : String(error)}`),
      )
  }
  const visit = async (agent: Agent | false): Promise<void> => {
    for (; !over; await sleep(50)) {
      done.requests++
      const outcome = await readOnce(port, ['/', '/search/drill', '/cart', '/brands'][done.requests % 4] ?? '/', agent)
      if (outcome !== null) done.failed.push(outcome)
    }
  }
  const ask = async (): Promise<void> => {
    for (; !over; await sleep(50)) {
      done.requests++
      const outcome = await readOnce(port, listing(done.requests), false)
      if (outcome !== null) done.failed.push(outcome)
    }
  }
  const kept = new Agent({ keepAlive: true, maxSockets: 1 })
  const working = Promise.all([...Array.from({ length: buyers }, buy), visit(false), visit(kept), ask()])
  const stopping = new AbortController()
  const rolling = (async () => {
    for (let deploy = 0; deploy < deploys; deploy++) {
      const startedAt = Date.now()
      await replaceOneByOne(port, processes, stopping.signal, () => done.replaced++)
      await sleep(Math.max(0, everyMs - (Date.now() - startedAt)), undefined, { signal: stopping.signal })
    }
  })()
  try {
    await Promise.race([rolling, working])
  } finally {
    over = true
    stopping.abort()
  }
  await working
  kept.destroy()
  return done
}

/** A list, by a program's document that no process has seen before. */
const listing = (number: number) =>
  `/graphql?query=${encodeURIComponent(`{ listing(input: { kind: search, query: "drill" }) { total cards { productId title } } } #${number}`)}`

async function replaceOneByOne(
  port: number,
  { webProcesses, documentsProcess, worker }: Pick<Deploys, 'webProcesses' | 'documentsProcess' | 'worker'>,
  signal: AbortSignal,
  onReplaced: () => void,
): Promise<void> {
  const all = () => [...documentsProcess(), ...webProcesses(), ...worker()]
  const before = all()
  const webBefore = webProcesses().length
  for (const pid of before) {
    process.kill(pid, 'SIGTERM')
    for (const end = Date.now() + 150_000; ; await sleep(100, undefined, { signal })) {
      const now = all()
      if (!now.includes(pid) && now.length === before.length && (await readyProcesses(port)) === webBefore) break
      if (Date.now() > end) throw new Error('A process was not replaced in time')
    }
    onReplaced()
  }
}

async function readyProcesses(port: number): Promise<number> {
  const answer = await fetch(`http://localhost:${port}/metrics`, { headers: { connection: 'close' } }).catch(() => null)
  return ((await answer?.text()) ?? '').match(/^purlin_web_processes_ready\{.*\} 1$/gm)?.length ?? 0
}

/** A page that is moved or cut has failed as well, and so has an operation with errors. */
export function outcomeOf(where: string, status: number, text: string): string | null {
  if (status !== 200) return `${where}: ${status}`
  const isWhole = where === '/graphql' ? text.startsWith('{"data":{') && !text.includes('"errors":[') : text.includes('</html>')
  return isWhole ? null : `${where}: 200 with ${text.slice(0, 80)}`
}

/**
 * Null, or what went wrong. A kept connection may be closed at the moment it is used again: as every browser does, the request is then
 * sent once more.
 */
function readOnce(port: number, path: string, agent: Agent | false): Promise<string | null> {
  const where = path.split('?')[0] ?? path
  return new Promise((resolve) => {
    const call = request({ host: 'localhost', port, path, agent, timeout: 15_000 }, (answer) => {
      const status = answer.statusCode ?? 0
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('error', (error) => resolve(`${where}: ${error.message}`))
      answer.on('end', () => resolve(outcomeOf(where, status, text)))
    })
    call.on('timeout', () => call.destroy(new Error('timeout')))
    call.on('error', (error) => resolve(call.reusedSocket ? readOnce(port, path, false) : `${where}: ${error.message}`))
    call.end()
  })
}
