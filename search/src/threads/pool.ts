import { Worker } from 'node:worker_threads'
import type { Snapshot } from '../query/snapshot.ts'
import { SearchRequestError, type FacetHit, type SearchParams, type SearchResponse } from '../types.ts'
import type { SearchMessage, SearchReply, SharedSnapshot } from './messages.ts'

/** Threads that answer searches over the same memory. */
export interface SearchPool {
  /** Shows a moment of an index to every thread; searches asked for later see it. */
  publish(snapshot: Snapshot): void
  drop(name: string): void
  search(name: string, indexName: string, params: SearchParams, sort: string | null): Promise<SearchResponse>
  facetValues(name: string, facet: string, facetQuery: string, params: SearchParams): Promise<FacetHit[]>
  close(): Promise<void>
}

interface Seat {
  worker: Worker
  waiting: Map<number, { resolve: (text: string) => void; reject: (error: unknown) => void }>
  /** What was last sent of each index: its config, and live documents per segment. */
  sent: Map<string, { config: Snapshot['config']; live: Map<number, number> }>
}

export function openPool(threads: number): SearchPool {
  const latest = new Map<string, Snapshot>()
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
      if ('text' in reply) waiting?.resolve(reply.text)
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

  function ask(message: (ticket: number) => SearchMessage): Promise<string> {
    const free = seats.reduce((least, one) => (one.waiting.size < least.waiting.size ? one : least))
    return new Promise((resolve, reject) => {
      const ticket = nextTicket++
      free.waiting.set(ticket, { resolve, reject })
      free.worker.ref()
      free.worker.postMessage(message(ticket))
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
      return JSON.parse(await ask((ticket) => ({ do: 'search', ticket, name, indexName, params, sort }))) as SearchResponse
    },
    async facetValues(name, facet, facetQuery, params) {
      return JSON.parse(await ask((ticket) => ({ do: 'facet', ticket, name, params, facet, facetQuery }))) as FacetHit[]
    },
    async close() {
      isClosed = true
      await Promise.all(seats.map((one) => one.worker.terminate()))
    },
  }
}
