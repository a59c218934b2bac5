import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { FormFiles, ReadForm } from './form-files.ts'
import { formFrom, formLimits, type SentFile } from './form.ts'

export const uploadLimits = { bytes: 32_000_000, fileBytes: 10_000_001 }

/**
 * Parses a form with files. Each file is passed on as it arrives, one after another; the form contains the outcome: its id
 * and name as one more value of the field, or its error.
 */
export function readMultipart(req: IncomingMessage, { fields: mostFiles, take }: FormFiles): Promise<ReadForm> {
  if (Number(req.headers['content-length'] ?? 0) > uploadLimits.bytes) return Promise.resolve({ ok: false, status: 413 })
  return new Promise((resolve) => {
    const entries: [string, string][] = []
    const files: SentFile[] = []
    const counts = new Map<string, number>()
    let text = 0
    let bytes = 0
    let turn: Promise<void> = Promise.resolve()
    let current: Readable | undefined
    const parser = open(req)
    if (!parser) {
      req.resume()
      return resolve({ ok: false, status: 400 })
    }
    const refuse = (status: 400 | 413): void => {
      current?.destroy(new Error('the form was refused'))
      req.unpipe(parser)
      req.resume()
      resolve({ ok: false, status })
    }
    parser.on('field', (name: string | undefined, value: string, nameTruncated: boolean, valueTruncated: boolean) => {
      text += (name?.length ?? 0) + value.length
      if (name === undefined || nameTruncated || valueTruncated || text > formLimits.bytes) refuse(413)
      else {
        entries.push([name, value])
        // Files accepted in an earlier attempt count too.
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    })
    parser.on('file', (field: string, stream: BusboyFileStream, name: string) => {
      stream.on('error', () => undefined)
      const count = (counts.get(field) ?? 0) + 1
      // A field without a file is sent as an empty file without a name.
      if (!name || !Object.hasOwn(mostFiles, field)) return void stream.resume()
      counts.set(field, count)
      turn = turn.then(async () => {
        if (count > (mostFiles[field] ?? 0)) return void (stream.resume(), files.push({ field, name, fault: 'too-many-files' }))
        current = stream
        const taken = await take(name, stream)
        stream.resume()
        if (taken.ok) entries.push([field, `${taken.id} ${taken.name}`])
        else files.push({ field, name, fault: taken.reason })
      })
      // Reported at the end; until then it must not count as unhandled.
      turn.catch(() => stream.resume())
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, () => refuse(413))
    parser.on('error', () => refuse(400))
    parser.on('finish', () => {
      turn.then(
        () => resolve({ ok: true, form: formFrom(entries, files) }),
        (error: unknown) => resolve(Promise.reject(error)),
      )
    })
    req.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes > uploadLimits.bytes) refuse(413)
    })
    req.on('error', () => refuse(400))
    req.on('aborted', () => refuse(400))
    req.pipe(parser)
  })
}

/** Null for invalid headers. */
function open({ headers }: IncomingMessage): InstanceType<typeof Busboy> | null {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: {
        fields: formLimits.fields,
        fieldNameSize: 200,
        fieldSize: formLimits.bytes,
        files: 20,
        fileSize: uploadLimits.fileBytes,
        parts: formLimits.fields,
        headerPairs: 20,
        headerSize: 4096,
      },
    })
  } catch {
    return null
  }
}
