import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { currentEpoch, epochPath } from './index/epochs.ts'
import { commitPath } from './index/commit-point.ts'
import { openReader, type IndexReader } from './index/index-reader.ts'
import { openWriter, type IndexWriter } from './index/index-writer.ts'
import type { WriterLimits } from './index/writer-context.ts'
import type { Fence } from './index/writer-lease.ts'
import type { Snapshot } from './query/snapshot.ts'
import type { Maker } from './threads/makers.ts'
import { SearchRequestError } from './types.ts'

/** The open indexes of an engine, by name. */
export interface IndexRegistry {
  /** An index as searches see it now; null when there is none of the name. */
  snapshot(name: string): Snapshot | null
  names(): string[]
  /** Whether a part of an index is left out because a file was lost or damaged. */
  isDamaged(name: string): boolean
  /** The writer of an index, which is made when missing. @throws SearchRequestError in an engine that only reads */
  writer(name: string): IndexWriter
  delete(name: string): Promise<void>
  close(): Promise<void>
}

interface RegistryOptions {
  directory: string
  limits: WriterLimits
  onChange: (snapshot: Snapshot) => void
}

const PREFIX = 'index-'
const folderName = (name: string): string => PREFIX + encodeURIComponent(name).replace(/\*/g, '%2A')

/** Names of the indexes in the directory of an epoch. */
function indexesIn(epoch: string): string[] {
  return readdirSync(epoch)
    .filter((entry) => entry.startsWith(PREFIX) && existsSync(commitPath(join(epoch, entry))))
    .map((entry) => decodeURIComponent(entry.slice(PREFIX.length)))
}

/** Indexes that this process writes. `directory` is that of the writer's epoch. */
export function writerRegistry({
  directory,
  limits,
  onChange,
  maker,
  fence,
}: RegistryOptions & { maker: Maker; fence: Fence }): IndexRegistry {
  const writers = new Map<string, IndexWriter>()
  const open = (name: string): IndexWriter => {
    const writer = openWriter({ name, folder: join(directory, folderName(name)), limits, maker, fence, onChange })
    writers.set(name, writer)
    return writer
  }
  for (const name of indexesIn(directory)) open(name)
  return {
    snapshot: (name) => writers.get(name)?.snapshot() ?? null,
    names: () => [...writers.keys()],
    isDamaged: (name) => writers.get(name)?.isDamaged() ?? false,
    writer(name) {
      fence.check()
      return writers.get(name) ?? open(name)
    },
    async delete(name) {
      fence.check()
      await writers.get(name)?.close()
      writers.delete(name)
      rmSync(join(directory, folderName(name)), { recursive: true, force: true })
    },
    async close() {
      for (const writer of writers.values()) await writer.close()
    },
  }
}

/** Indexes that another process writes, followed every `pollMs`. */
export function readerRegistry({ directory, limits, onChange, pollMs }: RegistryOptions & { pollMs: number }): IndexRegistry {
  const readers = new Map<string, IndexReader>()
  function reopenAll(): void {
    const epoch = currentEpoch(directory)
    if (epoch === null) return
    const folder = epochPath(directory, epoch)
    for (const name of indexesIn(folder)) {
      if (!readers.has(name)) readers.set(name, openReader({ name, documentMemory: limits.documentMemory, onChange }))
    }
    for (const [name, reader] of readers) reader.reopen(join(folder, folderName(name)))
  }
  reopenAll()
  const timer = setInterval(() => {
    try {
      reopenAll()
    } catch (error) {
      // Between two looks the writer may have gone on to another epoch.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      process.emitWarning(error instanceof Error ? error : String(error), { code: 'SEARCH_READER' })
    }
  }, pollMs)
  timer.unref()
  const refuse = (): never => {
    throw new SearchRequestError('this engine only reads', 403)
  }
  return {
    snapshot: (name) => readers.get(name)?.snapshot() ?? null,
    names: () => [...readers.keys()],
    isDamaged: (name) => readers.get(name)?.isDamaged() ?? false,
    writer: refuse,
    delete: async () => refuse(),
    async close() {
      clearInterval(timer)
      for (const reader of readers.values()) reader.close()
    },
  }
}
