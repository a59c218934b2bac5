/** A cache of the most recently used values, up to a maximum weight. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  clear(): void
  readonly size: number
}

/** By default each value weighs 1, so that `max` is a number of values. A single value heavier than `max` is not cached. */
export function boundedCache<Value>(max: number, weigh: (value: Value, key: string) => number = () => 1): BoundedCache<Value> {
  // A Map keeps insertion order: its first key is the least recently used one.
  const kept = new Map<string, { value: Value; weight: number }>()
  let total = 0
  const remove = (key: string): void => {
    const entry = kept.get(key)
    if (!entry) return
    kept.delete(key)
    total -= entry.weight
  }
  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      kept.delete(key)
      kept.set(key, entry)
      return entry.value
    },
    set(key, value) {
      remove(key)
      const weight = weigh(value, key)
      if (weight > max) return
      kept.set(key, { value, weight })
      total += weight
      for (const oldest of kept.keys()) {
        if (total <= max) break
        remove(oldest)
      }
    },
    delete: remove,
    clear: () => {
      kept.clear()
      total = 0
    },
    get size() {
      return kept.size
    },
  }
}
