import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Part } from '../query/snapshot.ts'
import type { Segment } from '../segment/segment-reader.ts'
import type { Schema } from '../segment/schema.ts'
import { segmentFile, type SegmentFile } from '../index/segment-file.ts'
import type { SearchDocument } from '../types.ts'
import { makeCompact, makeLive } from './build.ts'
import { blockOf, errorOf, type BuildMessage, type BuildReply, type Made, type SharedSegment, type Target } from './messages.ts'

/** Builds segments, in this thread or in others. */
export interface Maker {
  /** Number of files that can be filled concurrently. */
  readonly lanes: number
  live(schema: Schema, items: readonly Buffer[], known: readonly Segment[]): Promise<Made>
  compact(schema: Schema, parts: readonly Part[], target: Target, known: readonly Segment[]): Promise<Made>
  file(folder: string, id: number, schema: Schema, lane: number): Promise<FileInMaking>
  close(): Promise<void>
}

export interface FileInMaking {
  /** Resolves with the number of documents in the file so far, once there is room for more. */
  add(block: readonly Buffer[]): Promise<number>
  finish(known: readonly Segment[]): Promise<Made>
  abandon(): Promise<void>
}

const knownIn = (segments: readonly Segment[]) => (word: string) => segments.some((segment) => segment.surfaces.find(word) >= 0)
const shared = ({ id, buffer, source }: Segment): SharedSegment => ({ id, buffer, source })
const withDeleted = ({ segment, deleted }: Part) => ({ ...shared(segment), deleted: deleted ? deleted.slice() : null })

/** Builds segments in the calling thread, in slices. */
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

/** Maximum number of batches in progress when another is sent. */
const MOST_UNDER_WAY = 3

/** Builds segments in threads of their own, started on demand; small ones never wait for large ones. */
export function threadMaker(threads: number): Maker {
  const quick = buildThread()
  const lanes = Array.from({ length: Math.max(1, threads) }, buildThread)
  return {
    lanes: lanes.length,
    async live(schema, items, known) {
      return (await quick.ask({ do: 'live', schema, block: blockOf(items), known: known.map(shared) })).made
    },
    async compact(schema, parts, target, known) {
      const thread = target.kind === 'memory' ? quick : lanes[0]!
      return (await thread.ask({ do: 'compact', schema, parts: parts.map(withDeleted), target, known: known.map(shared) })).made
    },
    file: (folder, id, schema, at) => fileInThread(lanes[at % lanes.length]!, { folder, id, schema }),
    async close() {
      await Promise.all([quick, ...lanes].map((one) => one.close()))
    },
  }
}

async function fileInThread(
  { ask }: BuildThread,
  { folder, id, schema }: { folder: string; id: number; schema: Schema },
): Promise<FileInMaking> {
  await ask({ do: 'open', folder, id, schema })
  const underWay: Promise<{ count: number }>[] = []
  let sent = 0
  return {
    async add(block) {
      sent += block.length
      const next = ask({ do: 'add', id, block: blockOf(block) })
      // It is awaited later; until then its failure must not count as unhandled.
      next.catch(() => undefined)
      underWay.push(next)
      if (underWay.length > MOST_UNDER_WAY) await underWay.shift()
      return sent
    },
    async finish(known) {
      await Promise.all(underWay)
      return (await ask({ do: 'finish', id, known: known.map(shared) })).made
    },
    async abandon() {
      await ask({ do: 'abandon', id })
    },
  }
}

type Reply = Extract<BuildReply, { made: Made }>

interface BuildThread {
  ask(message: Unticketed<BuildMessage>): Promise<Reply>
  close(): Promise<void>
}

function buildThread(): BuildThread {
  const waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: unknown) => void }>()
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
      if ('error' in reply) one?.reject(errorOf(reply.error))
      else one?.resolve(reply)
    })
    worker.on('error', fail)
    return worker
  }
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        const ticket = nextTicket++
        waiting.set(ticket, { resolve, reject })
        const to = started()
        to.ref()
        to.postMessage({ ...message, ticket })
      }),
    async close() {
      await worker?.terminate()
      fail(new Error('the search engine is closed'))
    },
  }
}
