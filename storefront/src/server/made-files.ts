import { ownMemory } from '@purlin/contract/own-memory.ts'

interface Limits {
  keptMs?: number
  maxBytes?: number
  now?: () => number
}

interface Made {
  body: Promise<Buffer | null>
  bytes: number
  until: number
}

/** The file of a key, made once for all who ask for it within some time; null when there is none. */
export type MadeFiles = (key: string, make: () => Promise<string | null>) => Promise<Buffer | null>

/** Files made of all goods cost more than pages, and anybody may ask for them: they are kept, the oldest dropped beyond `maxBytes`. */
export function createMadeFiles({ keptMs = 600_000, maxBytes = 16_000_000, now = Date.now }: Limits = {}): MadeFiles {
  const files = new Map<string, Made>()
  let bytes = 0
  const drop = (key: string, file: Made) => {
    if (files.get(key) !== file) return
    files.delete(key)
    bytes -= file.bytes
  }
  return (key, make) => {
    const known = files.get(key)
    if (known && known.until > now()) return known.body
    if (known) drop(key, known)
    const body = make().then((text) => (text === null ? null : ownMemory(Buffer.from(text))))
    const file: Made = { body, bytes: 0, until: now() + keptMs }
    files.set(key, file)
    body.then(
      (made) => {
        // What does not exist is quickly known, and has as many names as there are numbers.
        if (made === null) return drop(key, file)
        if (files.get(key) !== file) return
        file.bytes = made.length
        bytes += file.bytes
        for (const [oldest, each] of files) {
          if (bytes <= maxBytes) break
          if (each.bytes > 0) drop(oldest, each)
        }
      },
      () => drop(key, file),
    )
    return body
  }
}
