import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Part } from '../query/snapshot.ts'
import type { Segment } from '../segment/segment-reader.ts'
import type { Schema } from '../segment/schema.ts'
import { segmentFile, type SegmentFile } from '../index/segment-file.ts'
import { SearchRequestError, type SearchDocument } from '../types.ts'
import { makeCompact, makeLive } from './build.ts'
import { blockOf, type BuildMessage, type BuildReply, type Made, type SharedSegment, type Target } from './messages.ts'

/** Who makes segments: this thread, or others. */
export interface Maker {
  /** How many files can be filled at the same time. */
  readonly lanes: number
  live(schema: Schema, items: readonly Buffer[], known: readonly Segment[]): Promise<Made>
  compact(schema: Schema, parts: readonly Part[], target: Target, known: readonly Segment[]): Promise<Made>
  file(folder: string, id: number, schema: Schema, lane: number): Promise<FileInMaking>
  close(): Promise<void>
}

export interface FileInMaking {
  /** Resolves with the documents in the file so far, once there is room for more. */
  add(block: readonly Buffer[]): Promise<number>
  finish(known: readonly Segment[]): Promise<Made>
  abandon(): Promise<void>
}

const knownIn = (segments: readonly Segment[]) => (word: string) => segments.some((segment) => segment.surfaces.find(word) >= 0)
const shared = ({ id, buffer, source }: Segment): SharedSegment => ({ id, buffer, source })
const withDeleted = ({ segment, deleted }: Part) => ({ ...shared(segment), deleted: deleted ? deleted.slice() : null })

/** Makes segments in the calling thread, in slices. */
export function ownMaker(): Maker {
  return {
    lanes: 1,
    live: async (schema, items, known) => makeLive(schema, blockOf(items), knownIn(known)),
    compact: (schema, parts, target, known) => makeCompact(schema, parts.map(withDeleted), target, knownIn(known), yieldToOthers),
    async file(folder, id, schema) {
      const file: SegmentFile = segmentFile(folder, id, schema)
      return {
        async add(block) {
          for (const item of block) file.add(JSON.parse(item.toString('utf8')) as SearchDocument, item)
          await yieldToOthers()
          return file.count
        },
        async finish(known) {
          if (file.count > 0) return file.finish(knownIn(known))
          file.abandon()
          return null
        },
        abandon: async () => file.abandon(),
      }
    },
    close: async () => undefined,
  }
}

type Unticketed<T> = T extends { ticket: number } ? Omit<T, 'ticket'> : never

/** Makes segments in threads of their own, started when needed; what is live never waits for what is large. */
export function threadMaker(threads: number): Maker {
  const quick = lane()
  const lanes = Array.from({ length: Math.max(1, threads) }, lane)

  function lane() {
    const waiting = new Map<number, { resolve: (reply: { made: Made; count: number }) => void; reject: (error: unknown) => void }>()
    let worker: Worker | null = null
    let nextTicket = 1
    const fail = (error: unknown) => {
      for (const one of waiting.values()) one.reject(error)
      waiting.clear()
      worker = null
    }
    function started(): Worker {
      if (worker) return worker
      worker = new Worker(new URL('./build-thread.ts', import.meta.url))
      worker.unref()
      worker.on('message', (reply: BuildReply) => {
        const one = waiting.get(reply.ticket)
        waiting.delete(reply.ticket)
        if (waiting.size === 0) worker?.unref()
        if (!('error' in reply)) one?.resolve(reply)
        else
          one?.reject(
            reply.error.status === null ? new Error(reply.error.message) : new SearchRequestError(reply.error.message, reply.error.status),
          )
      })
      worker.on('error', fail)
      return worker
    }
    return {
      ask: (message: Unticketed<BuildMessage>) =>
        new Promise<{ made: Made; count: number }>((resolve, reject) => {
          const ticket = nextTicket++
          waiting.set(ticket, { resolve, reject })
          const to = started()
          to.ref()
          to.postMessage({ ...message, ticket })
        }),
      close: async () => {
        await worker?.terminate()
        fail(new Error('the search engine is closed'))
      },
    }
  }

  const MOST_UNDER_WAY = 3
  return {
    lanes: lanes.length,
    live: async (schema, items, known) => (await quick.ask({ do: 'live', schema, block: blockOf(items), known: known.map(shared) })).made,
    compact: async (schema, parts, target, known) =>
      (
        await (target.kind === 'memory' ? quick : lanes[0]!).ask({
          do: 'compact',
          schema,
          parts: parts.map(withDeleted),
          target,
          known: known.map(shared),
        })
      ).made,
    async file(folder, id, schema, at) {
      const { ask } = lanes[at % lanes.length]!
      await ask({ do: 'open', folder, id, schema })
      const underWay: Promise<{ count: number }>[] = []
      let sent = 0
      return {
        async add(block) {
          sent += block.length
          const next = ask({ do: 'add', id, block: blockOf(block) })
          // Heard of when it is waited for; until then it must not count as unhandled.
          next.catch(() => undefined)
          underWay.push(next)
          if (underWay.length > MOST_UNDER_WAY) await underWay.shift()
          return sent
        },
        async finish(known) {
          await Promise.all(underWay)
          return (await ask({ do: 'finish', id, known: known.map(shared) })).made
        },
        abandon: async () => void (await ask({ do: 'abandon', id })),
      }
    },
    async close() {
      await Promise.all([quick, ...lanes].map((one) => one.close()))
    },
  }
}
