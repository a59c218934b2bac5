import { Worker } from 'node:worker_threads'
import type { Snapshot } from '../query/snapshot.ts'
import { SearchRequestError, type FacetHit, type SearchParams, type WrittenAnswer } from '../types.ts'
import type { SearchMessage, SearchReply, SharedSnapshot } from './messages.ts'

/** Threads that answer searches over the same memory. */
export interface SearchPool {
  /** Shows a moment of an index to every thread; searches asked for later see it. */
  publish(snapshot: Snapshot): void
  drop(name: string): void
  search(name: string, indexName: string, params: SearchParams, sort: string | null): Promise<WrittenAnswer>
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

/** One is answered and one stands ready; the rest waits for whichever thread is free first. */
const MOST_AT_A_THREAD = 2

interface Seat {
  worker: Worker
  waiting: Map<number, Waiting>
  /** What was last sent of each index: its config, and live documents per segment. */
  sent: Map<string, { config: Snapshot['config']; live: Map<number, number> }>
}

export function openPool(threads: number): SearchPool {
  const latest = new Map<string, Snapshot>()
  const line: Waiting[] = []
  let isClosed = false
  let nextTicket = 1

  function seat(): Seat {
    const worker = new Worker(new URL('./search-thread.ts', import.meta.url))
    const made: Seat = { worker, waiting: new Map(), sent: new Map() }
    worker.unref()
    worker.on('message', (reply: SearchReply) => {
      const waiting = made.waiting.get(reply.ticket)
      made.waiting.delete(reply.ticket)
      if (made.waiting.size === 0) worker.unref()
      handOut()
      if (!('error' in reply)) waiting?.resolve(reply)
      else
        waiting?.reject(
          reply.error.status === null ? new Error(reply.error.message) : new SearchRequestError(reply.error.message, reply.error.status),
        )
    })
    worker.on('error', (error) => {
      for (const waiting of made.waiting.values()) waiting.reject(error)
      made.waiting.clear()
      const at = seats.indexOf(made)
      if (at < 0 || isClosed) return
      seats[at] = seat()
      for (const snapshot of latest.values()) send(seats[at], snapshot)
      handOut()
    })
    return made
  }

  /** Sends only what a thread does not have yet. */
  function send(to: Seat, snapshot: Snapshot): void {
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

  const seats: Seat[] = []
  for (let i = 0; i < threads; i++) seats.push(seat())

  function handOut(): void {
    while (line.length > 0) {
      const free = seats.reduce((least, one) => (one.waiting.size < least.waiting.size ? one : least))
      if (free.waiting.size >= MOST_AT_A_THREAD) return
      const next = line.shift()!
      free.waiting.set(next.message.ticket, next)
      free.worker.ref()
      free.worker.postMessage(next.message)
    }
  }

  function ask(message: Asking): Promise<Answered> {
    return new Promise((resolve, reject) => {
      line.push({ message, resolve, reject })
      handOut()
    })
  }

  return {
    publish(snapshot) {
      latest.set(snapshot.name, snapshot)
      for (const one of seats) send(one, snapshot)
    },
    drop(name) {
      latest.delete(name)
      for (const one of seats) {
        one.sent.delete(name)
        one.worker.postMessage({ do: 'drop', name } satisfies SearchMessage)
      }
    },
    async search(name, indexName, params, sort) {
      const reply = await ask({ do: 'search', ticket: nextTicket++, name, indexName, params, sort })
      return (reply as Extract<Answered, { answer: unknown }>).answer
    },
    async facetValues(name, facet, facetQuery, params) {
      const reply = await ask({ do: 'facet', ticket: nextTicket++, name, params, facet, facetQuery })
      return (reply as Extract<Answered, { facetHits: unknown }>).facetHits
    },
    async close() {
      isClosed = true
      await Promise.all(seats.map((one) => one.worker.terminate()))
      for (const one of [...line, ...seats.flatMap((seat) => [...seat.waiting.values()])])
        one.reject(new Error('the search engine is closed'))
    },
  }
}
