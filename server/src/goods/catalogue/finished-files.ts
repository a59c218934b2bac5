import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { ownMemory } from '@purlin/contract/own-memory.ts'

/** A picture or document as served. */
export interface FinishedFile {
  body: Buffer
  /** Null when compression would gain nothing. */
  brotli: Buffer | null
  /** Part of the address when it is the current one. */
  version: string
}

const compress = promisify(brotliCompress)
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } }

// An LRU cache bounded by size: the first key is the least recently used one.
const kept = new Map<string, FinishedFile>()
const keptBytesMax = 48 * 1024 * 1024
let keptBytes = 0

/** A cached file, whether or not it is still current. */
export function keptFile(key: string): FinishedFile | undefined {
  const file = kept.get(key)
  if (file) {
    kept.delete(key)
    kept.set(key, file)
  }
  return file
}

/** The file with this key, created if it is not cached; null when it cannot be created. */
export async function finished(
  key: string,
  version: string,
  make: () => Promise<Buffer | null>,
  { isText = true } = {},
): Promise<FinishedFile | null> {
  const known = keptFile(key)
  if (known) return known
  const body = await make()
  if (!body) return null
  const file = { body: ownMemory(body), brotli: isText ? ownMemory(await compress(body, brotli)) : null, version }
  keep(key, file)
  return file
}

function keep(key: string, file: FinishedFile): void {
  if (kept.has(key)) return
  kept.set(key, file)
  keptBytes += weight(file)
  for (const [oldest, old] of kept) {
    if (keptBytes <= keptBytesMax) return
    kept.delete(oldest)
    keptBytes -= weight(old)
  }
}

function weight(file: FinishedFile): number {
  return file.body.length + (file.brotli?.length ?? 0)
}
