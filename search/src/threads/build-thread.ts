import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { openSegment } from '../segment/segment-reader.ts'
import { segmentFile, type SegmentFile } from '../index/segment-file.ts'
import type { SearchDocument } from '../types.ts'
import { makeCompact, makeLive, type KnownWord } from './build.ts'
import { itemsOf, sentError, type BuildMessage, type BuildReply, type Made, type SharedSegment } from './messages.ts'

/** Searches take precedence where there are too few processors; updates still get their share. */
const NICENESS = 3
// On other systems this would be the priority of the whole process.
if (process.platform === 'linux') setPriority(0, NICENESS)

/** A thread that builds segments, so that the searching thread never waits for it. */
const open = new Map<number, SegmentFile>()

function knownFrom(shared: readonly SharedSegment[]): KnownWord {
  const segments = shared.map(({ id, buffer }) => openSegment(id, buffer, { kind: 'memory', bytes: new Uint8Array(0) }))
  return (word) => segments.some((segment) => segment.surfaces.find(word) >= 0)
}

async function carryOut(message: BuildMessage): Promise<{ made: Made; count: number }> {
  switch (message.do) {
    case 'live':
      return { made: makeLive(message.schema, message.block, knownFrom(message.known)), count: 0 }
    case 'compact':
      return {
        made: await makeCompact(message.schema, message.parts, message.target, knownFrom(message.known), async () => undefined),
        count: 0,
      }
    case 'open':
      open.set(message.id, segmentFile(message.folder, message.id, message.schema))
      return { made: null, count: 0 }
    case 'add': {
      const file = open.get(message.id)!
      for (const item of itemsOf(message.block)) file.add(JSON.parse(item.toString('utf8')) as SearchDocument, item)
      return { made: null, count: file.count }
    }
    case 'finish':
    case 'abandon': {
      const file = open.get(message.id)
      open.delete(message.id)
      if (message.do === 'finish' && file && file.count > 0) return { made: file.finish(knownFrom(message.known)), count: file.count }
      file?.abandon()
      return { made: null, count: 0 }
    }
  }
}

let turn: Promise<unknown> = Promise.resolve()
parentPort!.on('message', (message: BuildMessage) => {
  turn = turn.then(async () => {
    let reply: BuildReply
    try {
      reply = { ticket: message.ticket, ...(await carryOut(message)) }
    } catch (error) {
      reply = { ticket: message.ticket, error: sentError(error) }
    }
    parentPort!.postMessage(reply)
  })
})
