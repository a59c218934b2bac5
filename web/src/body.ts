import type { IncomingMessage } from 'node:http'
import type { FormFiles, ReadForm } from './form-files.ts'
import { formLimits, parseForm } from './form.ts'
import { readMultipart } from './multipart.ts'

/**
 * Parses a posted form within its limits; an oversized body is not read to its end. Files are accepted only by forms that declare them.
 * @param maxBytes of a form without files
 */
export async function readForm(req: IncomingMessage, files?: FormFiles, maxBytes = formLimits.bytes): Promise<ReadForm> {
  const type = (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'multipart/form-data' && files) return readMultipart(req, files)
  if (type !== 'application/x-www-form-urlencoded') return { ok: false, status: 415 }
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) return { ok: false, status: 413 }
  const parts: Buffer[] = []
  let bytes = 0
  try {
    // Returning early must not close the connection: the refusal still has to be sent.
    for await (const part of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > maxBytes) {
        // The rest of the body is discarded until the response is sent; then the connection is closed.
        req.resume()
        return { ok: false, status: 413 }
      }
      parts.push(part)
    }
  } catch {
    return { ok: false, status: 400 }
  }
  const form = parseForm(Buffer.concat(parts).toString('utf8'))
  return form ? { ok: true, form } : { ok: false, status: 413 }
}
