import { Worker } from 'node:worker_threads'
import { UnavailableError } from '#platform'
import type { RasterRequest } from './raster-thread.ts'

/** More than these wait for their turn nowhere: whoever asks comes back. */
const waitingMax = 40
const idleMs = 30_000

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * The picture as a JPEG; null if it cannot be drawn. One at a time in a thread of its own, which ends when there is nothing to do.
 * @throws UnavailableError while too many wait
 */
export function rasterize(request: RasterRequest): Promise<Buffer | null> {
  if (waiting >= waitingMax) throw new UnavailableError('too many pictures are waiting to be drawn', 5)
  waiting++
  const drawn = last.then(() => draw(request)).finally(() => waiting--)
  last = drawn.catch(() => null)
  return drawn
}

function draw(request: RasterRequest): Promise<Buffer | null> {
  clearTimeout(idle)
  const worker = (thread ??= new Worker(new URL('./raster-thread.ts', import.meta.url)))
  worker.ref()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>()
  const done = (jpeg: Uint8Array | null) => resolve(jpeg && Buffer.from(jpeg))
  const fail = (error: Error) => {
    thread = undefined
    reject(error)
  }
  worker.once('message', done).once('error', fail)
  worker.postMessage(request)
  return promise.finally(() => {
    worker.off('message', done).off('error', fail)
    // A thread without work must not keep a process alive.
    worker.unref()
    idle = setTimeout(() => {
      thread = undefined
      void worker.terminate()
    }, idleMs).unref()
  })
}
