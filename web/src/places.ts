/** Bodies of the usual size on their way at once. Each holds no more than itself; a network has far fewer requests at once. */
const maximumWaiting = 4096

/** Places of requests whose page is being made. */
export interface Places {
  /** False when all are taken. */
  take(): boolean
  free(): void
  /**
   * Waits for a body without a place, because slow senders must not take the places of pages (V-15). Null at once when too many wait.
   * @param size how many of the usual bodies it may be as large as
   */
  waitForSender<Value>(wait: () => Promise<Value>, size?: number): Promise<Value | null>
}

export function createPlaces(maximum: number): Places {
  let taken = 0
  let waiting = 0
  return {
    take: () => taken < maximum && ++taken > 0,
    free: () => void taken--,
    waitForSender: async (wait, size = 1) => {
      if (waiting + size > maximumWaiting) return null
      waiting += size
      try {
        return await wait()
      } finally {
        waiting -= size
      }
    },
  }
}
