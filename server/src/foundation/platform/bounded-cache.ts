/** A cache of the most recently used values, up to a maximum number. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  clear(): void
  readonly size: number
}

export function boundedCache<Value>(max: number): BoundedCache<Value> {
  // A Map keeps insertion order: its first key is the least recently used one.
  const kept = new Map<string, Value>()
  return {
    get(key) {
      const value = kept.get(key)
      if (value !== undefined) {
        kept.delete(key)
        kept.set(key, value)
      }
      return value
    },
    set(key, value) {
      kept.delete(key)
      kept.set(key, value)
      if (kept.size > max) kept.delete(kept.keys().next().value as string)
    },
    delete: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    get size() {
      return kept.size
    },
  }
}
