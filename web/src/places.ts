/** Bodies on their way at once. Each holds no more than itself; a network has far fewer requests at once. */
const maximumLent = 4096

/** Places of requests that are being answered. */
export interface Places {
  /** False when all are taken. */
  take(): boolean
  free(): void
  /**
   * Gives the caller's place to others while it waits for its sender, because slow ones must not take the places of pages (V-15).
   * Null at once when too many wait.
   */
  lend<Value>(wait: () => Promise<Value>): Promise<Value | null>
}

export function createPlaces(maximum: number): Places {
  let taken = 0
  let lent = 0
  return {
    take: () => taken < maximum && ++taken > 0,
    free: () => void taken--,
    lend: async (wait) => {
      if (lent >= maximumLent) return null
      lent++
      taken--
      try {
        return await wait()
      } finally {
        taken++
        lent--
      }
    },
  }
}
