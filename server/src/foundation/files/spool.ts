import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { TooLargeError, type Source, type Written } from './object-store.ts'

/**
 * Writes a source to a temporary file in the folder, synced, and passes it on; afterwards the temporary file is removed.
 * @throws TooLargeError past `maxBytes`
 */
export async function spooled<Result>(
  folder: string,
  source: Source,
  maxBytes: number,
  use: (file: Written & { path: string }) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, randomUUID())
  try {
    return await use({ path, ...(await write(path, source, maxBytes)) })
  } finally {
    await rm(path, { force: true })
  }
}

async function write(path: string, source: Source, maxBytes: number): Promise<Written> {
  const file = await open(path, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new TooLargeError(maxBytes)
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}
