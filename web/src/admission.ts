/** Counts requests, to decide which pages are worth caching: those requested at least twice recently. Keeps one-off addresses and crawls out of the cache. */
export interface Admission {
  /** Records a request for the key of a page that has to be rendered. */
  request(key: string): void
  /** Records a request that was served from memory. No quota limits these: they end no generation early. (V-13) */
  hit(key: string): void
  /** Number of recent requests for the key. */
  requestsOf(key: string): number
  /** True once the key has been requested twice. */
  admits(key: string): boolean
}

/** Keys remembered per generation; two generations are held. */
const defaultRemembered = 65_536
/** Requests of a generation for each key that it remembers: afterwards, what was popular has to be so again. */
const requestsPerKey = 2
/** A generation lasts at least as long, unless it is full of keys: a second request within minutes is always remembered. */
const minimumMs = 300_000

export interface AdmissionOptions {
  remembered?: number
  now?: () => number
}

/**
 * Counts the hashes of requested keys in two generations: when the younger one is full, the older one is dropped. Two keys
 * with the same hash are admitted early, which costs memory but never gives a wrong answer.
 */
export function createAdmission({ remembered = defaultRemembered, now = Date.now }: AdmissionOptions = {}): Admission {
  /** Hash of a key → number of its requests. */
  let young = new Map<number, number>()
  let old = new Map<number, number>()
  let counted = 0
  let begunAt = now()
  const requestsOf = (key: string): number => {
    const hash = hashOf(key)
    return (young.get(hash) ?? 0) + (old.get(hash) ?? 0)
  }
  const count = (hash: number): void => {
    const isOver = counted >= remembered * requestsPerKey && now() - begunAt >= minimumMs
    if (isOver || (!young.has(hash) && young.size >= remembered)) {
      old = young
      young = new Map()
      counted = 0
      begunAt = now()
    }
    young.set(hash, (young.get(hash) ?? 0) + 1)
    counted++
  }
  return {
    request: (key) => count(hashOf(key)),
    hit(key) {
      const hash = hashOf(key)
      // Half of a generation's keys are for pages that are not in the cache.
      if (young.has(hash) || young.size < remembered / 2) count(hash)
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
