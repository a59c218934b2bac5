import { Worker } from 'node:worker_threads'
import type { Snapshot } from '../query/snapshot.ts'
import type { FacetHit, SearchParams, WrittenAnswer } from '../types.ts'
import { errorOf, type SearchMessage, type SearchReply, type SharedSnapshot } from './messages.ts'

/** Threads that run searches on shared memory. */
export interface SearchPool {
  /** Publishes a snapshot of an index to every thread; later searches see it. */
  publish(snapshot: Snapshot): void
  drop(name: string): void
  search(name: string, indexName: string, params: SearchParams, sort: string | null, maxBytes?: number): Promise<WrittenAnswer>
  facetValues(name: string, facet: string, facetQuery: string, params: SearchParams): Promise<FacetHit[]>
  close(): Promise<void>
}

type Asking = Extract<SearchMessage, { ticket: number }>
type Answered = Exclude<SearchReply, { error: unknown }>

interface Waiting {
  message: Asking
  resolve: (reply: Answered) => void
  reject: (error: unknown) => void
}

/** One is running and one is queued; the rest waits for the first free thread. */
const MOST_AT_A_THREAD = 2

/** A thread with its assigned searches. */
interface Seat {
  worker: Worker
  waiting: Map<number, Waiting>
  /** The state of each index as last sent: its config, and live documents per segment. */
  sent: Map<string, { config: Snapshot['config']; live: Map<number, number> }>
}

export function openPool(threads: number): SearchPool {
  const latest = new Map<string, Snapshot>()
  const queue: Waiting[] = []
  const seats: Seat[] = []
  let isClosed = false
  let nextTicket = 1

  const handOut = () => dispatch(queue, seats)

  /** Replaces a thread that ended. */
  function replace(seat: Seat): void {
    const at = seats.indexOf(seat)
    if (at < 0 || isClosed) return
    seats[at] = takeSeat(handOut, replace)
    for (const snapshot of latest.values()) sendSnapshot(seats[at], snapshot)
    handOut()
  }
  for (let i = 0; i < threads; i++) seats.push(takeSeat(handOut, replace))

  function ask(message: Asking): Promise<Answered> {
    return new Promise((resolve, reject) => {
      queue.push({ message, resolve, reject })
      handOut()
    })
  }

  return {
    publish(snapshot) {
      latest.set(snapshot.name, snapshot)
      for (const one of seats) sendSnapshot(one, snapshot)
    },
    drop(name) {
      latest.delete(name)
      for (const one of seats) {
        one.sent.delete(name)
        one.worker.postMessage({ do: 'drop', name } satisfies SearchMessage)
      }
    },
    async search(name, indexName, params, sort, maxBytes) {
      const reply = await ask({ do: 'search', ticket: nextTicket++, name, indexName, params, sort, maxBytes })
      return (reply as Extract<Answered, { answer: unknown }>).answer
    },
    async facetValues(name, facet, facetQuery, params) {
      const reply = await ask({ do: 'facet', ticket: nextTicket++, name, params, facet, facetQuery })
      return (reply as Extract<Answered, { facetHits: unknown }>).facetHits
    },
    async close() {
      isClosed = true
      await Promise.all(seats.map((one) => one.worker.terminate()))
      for (const one of [...queue, ...seats.flatMap((seat) => [...seat.waiting.values()])])
        one.reject(new Error('the search engine is closed'))
    },
  }
}

/** Assigns waiting searches to threads with capacity. */
function dispatch(queue: Waiting[], seats: readonly Seat[]): void {
  while (queue.length > 0) {
    const free = seats.reduce((least, one) => (one.waiting.size < least.waiting.size ? one : least))
    if (free.waiting.size >= MOST_AT_A_THREAD) return
    const next = queue.shift()!
    free.waiting.set(next.message.ticket, next)
    free.worker.ref()
    free.worker.postMessage(next.message)
  }
}

function takeSeat(onFree: () => void, onEnd: (seat: Seat) => void): Seat {
  const worker = new Worker(new URL('./search-thread.ts', import.meta.url))
  const seat: Seat = { worker, waiting: new Map(), sent: new Map() }
  worker.unref()
  worker.on('message', (reply: SearchReply) => {
    const waiting = seat.waiting.get(reply.ticket)
    seat.waiting.delete(reply.ticket)
    if (seat.waiting.size === 0) worker.unref()
    onFree()
    if ('error' in reply) waiting?.reject(errorOf(reply.error))
    else waiting?.resolve(reply)
  })
  worker.on('error', (error) => {
    for (const waiting of seat.waiting.values()) waiting.reject(error)
    seat.waiting.clear()
    onEnd(seat)
  })
  return seat
}

/** Sends only what a thread does not have yet. */
function sendSnapshot(to: Seat, snapshot: Snapshot): void {
  const before = to.sent.get(snapshot.name)
  const { config } = snapshot
  const message: SharedSnapshot = {
    name: snapshot.name,
    version: snapshot.version,
    updatedAt: snapshot.updatedAt,
    config: before?.config === config ? null : { settings: config.settings, synonyms: config.synonyms, rules: config.rules },
    fresh: snapshot.parts.flatMap(({ segment: { id, buffer, source } }) => (before?.live.has(id) ? [] : [{ id, buffer, source }])),
    parts: snapshot.parts.map(({ segment, deleted, live }) => ({
      id: segment.id,
      deleted: before?.live.get(segment.id) === live ? 'same' : deleted,
      live,
    })),
  }
  to.sent.set(snapshot.name, { config, live: new Map(snapshot.parts.map((part) => [part.segment.id, part.live])) })
  to.worker.postMessage({ do: 'publish', snapshot: message } satisfies SearchMessage)
}
