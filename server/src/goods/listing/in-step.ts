/** One of two readers of the same items. */
export interface Reader<T> {
  items: AsyncIterable<T>
  /** Must be called at the end, or the other reader may wait for ever. */
  leave(): void
}

/** Two readers of one source, which is read once. The one ahead waits for the other, so that one item at most is held. */
export function inStep<T>(source: AsyncIterable<T>): [Reader<T>, Reader<T>] {
  const items = source[Symbol.asyncIterator]()
  const open = new Set([0, 1])
  let shared: { item: Promise<IteratorResult<T>>; takenBy: number; released: PromiseWithResolvers<void> } | null = null

  async function take(reader: number): Promise<IteratorResult<T>> {
    while (shared?.takenBy === reader && open.size > 1) await shared.released.promise
    if (shared && shared.takenBy !== reader) {
      const { item, released } = shared
      shared = null
      released.resolve()
      return item
    }
    shared = { item: items.next(), takenBy: reader, released: Promise.withResolvers() }
    return shared.item
  }

  const reader = (number: number): Reader<T> => ({
    items: { [Symbol.asyncIterator]: () => ({ next: () => take(number) }) },
    leave: () => {
      open.delete(number)
      shared?.released.resolve()
    },
  })
  return [reader(0), reader(1)]
}
