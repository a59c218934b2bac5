/** Counts requests, to decide which pages are worth caching: those requested at least twice recently. Keeps one-off addresses and crawls out of the cache. */
export interface Admission {
  /** Records a request for the key. */
  request(key: string): void
  /** Number of recent requests for the key. */
  requestsOf(key: string): number
  /** True once the key has been requested twice. */
  admits(key: string): boolean
}

/** Keys remembered per generation; two generations are held. */
const defaultRemembered = 65_536
/** Requests of a generation for each key that it remembers: afterwards, what was popular has to be so again. */
const requestsPerKey = 2

/**
 * Counts the hashes of requested keys in two generations: when the younger one is full, the older one is dropped. Two keys
 * with the same hash are admitted early, which costs memory but never gives a wrong answer.
 */
export function createAdmission(remembered = defaultRemembered): Admission {
  /** Hash of a key → number of its requests. */
  let young = new Map<number, number>()
  let old = new Map<number, number>()
  let counted = 0
  const requestsOf = (key: string): number => {
    const hash = hashOf(key)
    return (young.get(hash) ?? 0) + (old.get(hash) ?? 0)
  }
  return {
    request(key) {
      const hash = hashOf(key)
      const known = young.get(hash)
      if ((known === undefined && young.size >= remembered) || counted >= remembered * requestsPerKey) {
        old = young
        young = new Map()
        counted = 0
      }
      young.set(hash, (young.get(hash) ?? 0) + 1)
      counted++
    },
    requestsOf,
    admits: (key) => requestsOf(key) > 1,
  }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 0
}
