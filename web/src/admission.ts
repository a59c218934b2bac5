/** Decides which pages are worth caching: those requested at least twice recently. Keeps one-off addresses and crawls out of the cache. */
export interface Admission {
  /** Records a request for the key. */
  request(key: string): void
  /** True once the key has been requested twice. */
  admits(key: string): boolean
}

/** Keys remembered per generation; two generations are held. */
const defaultRemembered = 65_536

/**
 * Remembers the hashes of recently requested keys in two generations: when the younger one is full, the older one is
 * dropped. Two keys with the same hash are admitted early, which costs memory but never gives a wrong answer.
 */
export function createAdmission(remembered = defaultRemembered): Admission {
  /** Hash of a key → whether it was requested more than once. */
  let young = new Map<number, boolean>()
  let old = new Map<number, boolean>()
  return {
    request(key) {
      const hash = hashOf(key)
      const isRepeated = young.has(hash) || old.has(hash)
      if (young.size >= remembered && !young.has(hash)) {
        old = young
        young = new Map()
      }
      young.set(hash, isRepeated)
    },
    admits(key) {
      const hash = hashOf(key)
      return young.get(hash) ?? old.get(hash) ?? false
    },
  }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 0
}
