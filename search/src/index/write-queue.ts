import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { newPace } from './batch-pace.ts'
import { encodeRecord } from './translog.ts'
import type { WriterContext } from './writer-context.ts'

/** A call of `upsert` or `remove` waiting for its turn. */
export interface Operation {
  kind: 'upsert' | 'remove'
  items: { objectID: string; bytes: Buffer }[]
}

interface Waiting extends Operation {
  done: () => void
  failed: (error: unknown) => void
}

/** Operations in order of arrival. All that are waiting form one batch: one sync of the translog for all of them. */
export interface WriteQueue {
  /** Resolves once the operation is on disk and visible. */
  submit(operation: Operation): Promise<void>
  /** Runs `act` while no batch is between translog and memory; at once if nothing is being written. */
  betweenBatches<T>(act: () => T): Promise<T>
  readonly isWriting: boolean
  /** Resolves when everything waiting has been written. */
  drain(): Promise<void>
}

export interface WriteQueueOptions {
  context: WriterContext
  /** Makes a batch from the translog visible. */
  apply: (batch: readonly Operation[]) => Promise<void>
  afterBatch: () => void
}

export function openWriteQueue({ context, apply, afterBatch }: WriteQueueOptions): WriteQueue {
  const waiting: Waiting[] = []
  const pauses: (() => void)[] = []
  const pace = newPace()
  let writing: Promise<void> | null = null

  async function writeAll(): Promise<void> {
    await yieldToOthers()
    while (waiting.length > 0) {
      if (!context.isClosed) await pace.turn()
      await writeBatch(context, waiting.splice(0), apply)
      for (const run of pauses.splice(0)) run()
      afterBatch()
    }
    // In the same turn as the last check of the queue: nothing can slip in between and wait for ever.
    writing = null
    for (const run of pauses.splice(0)) run()
  }

  return {
    get isWriting() {
      return writing !== null
    },
    async submit(operation) {
      if (context.isClosed) throw new Error('the search engine is closed')
      if (operation.items.length === 0) return
      pace.asked()
      await new Promise<void>((done, failed) => {
        waiting.push({ ...operation, done, failed })
        writing ??= writeAll()
      }).finally(pace.answered)
    },
    betweenBatches(act) {
      return new Promise((resolve, reject) => {
        const run = () => {
          try {
            resolve(act())
          } catch (error) {
            reject(error)
          }
        }
        if (writing) pauses.push(run)
        else run()
      })
    },
    async drain() {
      await writing?.catch(() => undefined)
    },
  }
}

async function writeBatch(context: WriterContext, batch: readonly Waiting[], apply: WriteQueueOptions['apply']): Promise<void> {
  try {
    const records = batch.map(({ kind, items }) =>
      encodeRecord({ kind, sequence: ++context.state.sequence, items: items.map((item) => item.bytes) }),
    )
    await context.translog.append(Buffer.concat(records))
    // A successor reads this translog only after starting its epoch: it has read everything confirmed here.
    context.fence.check()
    await apply(batch)
    for (const one of batch) one.done()
  } catch (error) {
    for (const one of batch) one.failed(error)
  }
}
