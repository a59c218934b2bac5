import { createReadStream, fstatSync, open as openWithCallback } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { checkKey, type ObjectStore } from './object-store.ts'
import { spooled } from './spool.ts'

const openPlain = promisify(openWithCallback)

/** Objects as files in a folder: written to a temporary file, synced, then renamed into place. */
export function folderStore(directory: string): ObjectStore {
  const pathOf = (key: string): string => join(directory, checkKey(key))
  return {
    async put(key, source, { maxBytes }) {
      const path = pathOf(key)
      return spooled(join(directory, '.spool'), source, maxBytes, async ({ path: written, bytes, sha256 }) => {
        await mkdir(dirname(path), { recursive: true })
        await rename(written, path)
        await syncFolder(dirname(path))
        return { bytes, sha256 }
      })
    },
    async get(key) {
      // A plain descriptor: a FileHandle with an unread stream would end the process when garbage-collected.
      const fd = await openPlain(pathOf(key), 'r').catch(notThere)
      if (fd === null) return null
      return { bytes: fstatSync(fd).size, stream: createReadStream('', { fd }) }
    },
    async delete(key) {
      await rm(pathOf(key), { force: true })
    },
  }
}

function notThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** A rename survives a power failure once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
