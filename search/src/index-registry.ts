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

interface ReaderRegistryOptions extends RegistryOptions {
  pollMs: number
  idleMs: number
}

/** The readers in use of the current epoch. */
interface Readers {
  /** The reader of an index, opened if need be. */
  use(name: string): IndexReader | undefined
  names(): string[]
  /** Follows what was written, and closes what nobody has used for long. */
  reopen(): void
  close(): void
}

function openReaders({ directory, limits, onChange, idleMs }: ReaderRegistryOptions): Readers {
  const isLazy = idleMs < Infinity
  const readers = new Map<string, { reader: IndexReader; usedAt: number }>()
  let folder: string | null = null
  let known: ReadonlySet<string> = new Set<string>()
  const folderOf = (name: string): string => join(folder ?? '', folderName(name))

  /** Finds the folder of the current epoch, and the indexes in it. */
  function look(): ReadonlySet<string> {
    const epoch = currentEpoch(directory)
    if (epoch === null) return known
    folder = epochPath(directory, epoch)
    known = new Set(indexesIn(folder))
    return known
  }
  function open(name: string): IndexReader {
    const reader = openReader({ name, documentMemory: limits.documentMemory, onChange })
    reader.reopen(folderOf(name))
    readers.set(name, { reader, usedAt: performance.now() })
    return reader
  }
  return {
    use(name) {
      const found = readers.get(name)
      if (!found) return isLazy && known.has(name) && look().has(name) ? open(name) : undefined
      found.usedAt = performance.now()
      return found.reader
    },
    names: () => [...new Set([...known, ...readers.keys()])],
    reopen() {
      look()
      if (folder === null) return
      for (const [name, { reader, usedAt }] of readers) {
        if (performance.now() - usedAt < idleMs) reader.reopen(folderOf(name))
        else if (readers.delete(name)) reader.close()
      }
      if (!isLazy) for (const name of known) if (!readers.has(name)) open(name)
    },
    close() {
      for (const { reader } of readers.values()) reader.close()
    },
  }
}

/** Indexes that another process writes, followed every `pollMs`; those that nobody has used for `idleMs` are not in memory. */
export function readerRegistry(options: ReaderRegistryOptions): IndexRegistry {
  const readers = openReaders(options)
  readers.reopen()
  const timer = setInterval(() => {
    try {
      readers.reopen()
    } catch (error) {
      // Between two looks the writer may have gone on to another epoch.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      process.emitWarning(error instanceof Error ? error : String(error), { code: 'SEARCH_READER' })
    }
  }, options.pollMs)
  timer.unref()
  const refuse = (): never => {
    throw new SearchRequestError('this engine only reads', 403)
  }
  return {
    snapshot: (name) => readers.use(name)?.snapshot() ?? null,
    names: readers.names,
    isDamaged: (name) => readers.use(name)?.isDamaged() ?? false,
    writer: refuse,
    delete: async () => refuse(),
    async close() {
      clearInterval(timer)
      readers.close()
    },
  }
}
