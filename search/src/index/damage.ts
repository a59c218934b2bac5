import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** A file does not hold what was written to it. */
export class DamagedFileError extends Error {
  readonly code = 'SEARCH_DAMAGED'

  constructor(path: string, reason: string) {
    super(`${path} is damaged: ${reason}`)
  }
}

/** The message of an error that means a file is lost or damaged; any other error is thrown again. */
export function damageIn(error: unknown): string {
  if (error instanceof DamagedFileError) return error.message
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return `${(error as NodeJS.ErrnoException).path ?? 'a file'} is missing`
  throw error
}

/** Damage already reported, so that a reader that polls reports it once. */
const reported = new Set<string>()

export function reportDamage(damage: readonly string[]): void {
  for (const each of damage.filter((one) => !reported.has(one))) {
    reported.add(each)
    process.emitWarning(`${each}; the index answers without it until it is rebuilt`, { code: 'SEARCH_DAMAGED' })
  }
}

const CHECKSUM = 4

/** Content preceded by its CRC-32, for small files. */
export function withChecksum(bytes: Uint8Array): Uint8Array[] {
  const head = Buffer.alloc(CHECKSUM)
  head.writeUInt32LE(crc32(bytes))
  return [head, bytes]
}

/** @throws DamagedFileError */
export function readChecked(path: string): Buffer {
  const bytes = readFileSync(path)
  const content = bytes.subarray(CHECKSUM)
  if (bytes.length < CHECKSUM || crc32(content) !== bytes.readUInt32LE()) throw new DamagedFileError(path, 'its checksum differs')
  return content
}

const PIECE = 1 << 20

/** CRC-32 of a file, read piece by piece, and its size in bytes. */
export function fileChecksum(path: string): { size: number; checksum: number } {
  const file = openSync(path, 'r')
  try {
    const piece = Buffer.allocUnsafe(PIECE)
    let size = 0
    let checksum = 0
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      checksum = crc32(piece.subarray(0, read), checksum)
      size += read
    }
    return { size, checksum }
  } finally {
    closeSync(file)
  }
}
