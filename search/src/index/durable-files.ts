import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file atomically and durably. */
export function writeDurably(path: string, ...pieces: Uint8Array[]): void {
  const temporary = `${path}.part`
  const file = openSync(temporary, 'w')
  try {
    for (const piece of pieces) writeAll(file, piece)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  syncDirectory(dirname(path))
}

export function writeAll(file: number, bytes: Uint8Array): void {
  let at = 0
  while (at < bytes.length) at += writeSync(file, bytes, at, Math.min(bytes.length - at, 1 << 30))
}

/** A rename is only durable once its folder is synced. Not every system allows opening a folder. */
export function syncDirectory(path: string): void {
  let folder: number
  try {
    folder = openSync(path, 'r')
  } catch {
    return
  }
  try {
    fsyncSync(folder)
  } catch {
    // Windows refuses this; its renames are journaled.
  } finally {
    closeSync(folder)
  }
}

/** Deletes an unused file; another process may still hold it open. */
export function discard(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Deleted at the next start.
  }
}
