import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { memoryPart, putOperations, vocabularyOf, type LatestOperations } from './index-state.ts'
import type { Operation } from './write-queue.ts'
import type { WriterContext } from './writer-context.ts'

/** Documents that become visible together. */
const AT_ONCE = 200

/** Turns a batch into in-memory segments and shows them, 200 documents at a time. */
export async function writeDocuments(context: WriterContext, batch: readonly Operation[], afterSegment: () => void): Promise<void> {
  let latest: LatestOperations = new Map()
  for (const { kind, items } of batch) {
    for (const { objectID, bytes } of items) {
      latest.delete(objectID)
      latest.set(objectID, kind === 'remove' ? null : bytes)
      if (latest.size < AT_ONCE) continue
      await writeSegment(context, latest)
      afterSegment()
      latest = new Map()
      await yieldToOthers()
    }
  }
  if (latest.size === 0) return
  await writeSegment(context, latest)
  afterSegment()
}

async function writeSegment(context: WriterContext, latest: LatestOperations): Promise<void> {
  const { maker, state } = context
  const added = [...latest.values()].filter((item) => item !== null)
  const made = added.length > 0 ? await maker.live(state.config.schema, added, vocabularyOf(state)) : null
  putOperations(context.state, latest.keys(), made && memoryPart(made))
  context.publish()
}
