interface Pauses {
  firstMs: number
  maxMs: number
}

/**
 * The pause before the next attempt: twice as long each time, up to a maximum, and up to a quarter shorter or longer, so that work that
 * failed together is not tried again together.
 */
export function retryPauseMs(attempt: number, { firstMs, maxMs }: Pauses, random = Math.random): number {
  return Math.round(Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 20)) * (0.75 + random() / 2))
}
