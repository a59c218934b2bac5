/** Inspects PDFs: up to seconds of work on the longest, which no request of the main thread should wait for. */
import { parentPort } from 'node:worker_threads'
import { ContentError, type ContentFault } from './byte-reader.ts'
import { inspectPdf } from './inspect-pdf.ts'

export type PdfFound = { problem: [fault: ContentFault, message: string] | null } | { error: string }

parentPort?.on('message', (pdf: Uint8Array) => {
  inspectPdf(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)).then(
    () => answer({ problem: null }),
    (error: unknown) => answer(error instanceof ContentError ? { problem: [error.fault, error.message] } : { error: String(error) }),
  )
})

function answer(found: PdfFound): void {
  parentPort?.postMessage(found)
}
