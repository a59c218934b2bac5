import { byteReader, ContentError, type ByteReader } from './byte-reader.ts'
import { checkPdf } from './check-pdf.ts'
import { cleanJpeg } from './clean-jpeg.ts'
import { cleanPng } from './clean-png.ts'
import { cleanWebp } from './clean-webp.ts'
import type { FileType } from './kinds.ts'
import { TooLargeError, type Source } from './object-store.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/**
 * Detects the type from the bytes alone and returns the bytes to store: without metadata, and refused while being read if they
 * are not what they seem. Null for an unsupported type. Nothing is decoded, so there are no decompression bombs.
 */
export async function checkContent(source: Source, maxBytes: number): Promise<{ type: FileType; content: Source } | null> {
  const reader = byteReader(source)
  const start = await reader.peek(12)
  const word = start.toString('latin1')
  if (word.startsWith('\xff\xd8\xff')) return { type: 'image/jpeg', content: cleanJpeg(reader) }
  if (start.subarray(0, 8).equals(png)) return { type: 'image/png', content: cleanPng(reader) }
  if (word.startsWith('RIFF') && word.endsWith('WEBP')) return { type: 'image/webp', content: cleanWebp(reader) }
  if (word.startsWith('%PDF-')) return { type: 'application/pdf', content: wholePdf(reader, maxBytes) }
  return null
}

/** The only type that is buffered whole: its cross-reference table is at its end. */
async function* wholePdf(reader: ByteReader, maxBytes: number): AsyncGenerator<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for (let part = await reader.some(); part.length > 0; part = await reader.some()) {
    bytes += part.length
    if (bytes > maxBytes) throw new TooLargeError(maxBytes)
    parts.push(part)
  }
  const pdf = Buffer.concat(parts)
  await checkPdf(pdf)
  yield pdf
}

export { ContentError }
