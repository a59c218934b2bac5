import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { UnavailableError } from '#platform'
import { ContentError } from './byte-reader.ts'
import type { PdfFound } from './pdf-thread.ts'

/** More than these wait for their turn nowhere: whoever uploads tries again. */
const waitingMax = 8
/** The longest file takes a few seconds at most; one that takes longer is made to. */
const maxInspectionMs = 10_000

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * Refuses a PDF with content that could do something (`inspectPdf`). One at a time, in a thread that ends with it: pages and health
 * checks go on meanwhile, whatever the file is made of.
 * @throws ContentError, UnavailableError while too many wait
 */
export async function checkPdf(pdf: Buffer, maxMs = maxInspectionMs): Promise<void> {
  if (waiting >= waitingMax) throw new UnavailableError('too many documents are waiting to be inspected', 5)
  waiting++
  const found = last.then(() => inspectInThread(pdf, maxMs)).finally(() => waiting--)
  last = found.catch(() => undefined)
  const answer = await found
  if (answer === 'late') throw new ContentError('too-complex', 'takes too long to inspect')
  if ('error' in answer) throw new Error(answer.error)
  if (answer.problem) throw new ContentError(...answer.problem)
}

async function inspectInThread(pdf: Buffer, maxMs: number): Promise<PdfFound | 'late'> {
  const thread = new Worker(new URL('./pdf-thread.ts', import.meta.url))
  const { promise, resolve, reject } = Promise.withResolvers<PdfFound>()
  thread.once('message', resolve).once('error', reject)
  thread.postMessage(pdf)
  const over = new AbortController()
  try {
    return await Promise.race([promise, sleep(maxMs, 'late' as const, { signal: over.signal })])
  } finally {
    over.abort()
    await thread.terminate()
  }
}
