/** Compiled sources, as they are stored. In JavaScript: the processes read them before they load any TypeScript. */
import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const directory = process.env.PURLIN_COMPILED ?? join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled-sources')

const digest = (text) => hash('sha256', text).slice(0, 32)
const checksum = (compiled) => `\n//${digest(compiled)}`
const checksumLength = checksum('').length

/** By its text, so that a file that has changed is never mistaken for what it was. */
export const nameOf = (text) => `${digest(text)}.js`

/** Undefined if it is missing or damaged: a power failure may leave a file empty, or a part of it. */
export function readCompiled(name) {
  const stored = read(join(directory, name))
  const compiled = stored.slice(0, -checksumLength)
  return stored.slice(-checksumLength) === checksum(compiled) ? compiled : undefined
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export function writeCompiled(name, compiled) {
  mkdirSync(directory, { recursive: true })
  const unfinished = join(directory, `${randomUUID()}.unfinished`)
  writeFileSync(unfinished, compiled + checksum(compiled))
  renameSync(unfinished, join(directory, name))
}

const keptMs = 7 * 24 * 60 * 60 * 1000

/** Another release may use the same folder, and another start may be writing to it: recent files are kept. */
export function removeUnused(used) {
  for (const name of readdirSync(directory)) {
    if (used.has(name)) continue
    const path = join(directory, name)
    const file = statSync(path, { throwIfNoEntry: false })
    if (file && Date.now() - file.mtimeMs > keptMs) rmSync(path, { force: true })
  }
}
