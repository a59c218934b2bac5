import autocannon from 'autocannon'

/** The figures of one load, and the seconds in which it was sent. */
export interface Fired {
  result: autocannon.Result
  seconds: number
}

/**
 * Sends a load. Its own duration includes the time in which the client builds the bytes of all requests, before it sends any: with many
 * different ones that is as long as the load itself, so the seconds are counted from the first connection on.
 */
export function fire(options: autocannon.Options): Promise<Fired> {
  return new Promise((resolve, reject) => {
    let startedAt = performance.now()
    const running = autocannon(options, (error: unknown, result) => {
      if (error instanceof Error) reject(error)
      else resolve({ result, seconds: (performance.now() - startedAt) / 1000 })
    })
    running.once('start', () => (startedAt = performance.now()))
  })
}
