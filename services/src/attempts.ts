const minuteMs = 60_000

/** What a service does on its own, piece by piece. Nobody waits for it, so a failure is logged: one that repeats itself once a minute. */
export function attempts(service: string) {
  let last = { reason: '', at: 0 }

  function log(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    if (reason === last.reason && Date.now() - last.at < minuteMs) return
    last = { reason, at: Date.now() }
    process.stderr.write(`${JSON.stringify({ level: 'error', msg: service, reason })}\n`)
  }

  return {
    log,
    /**
     * Makes one attempt. What fails is postponed by `later`, so that it holds up nothing behind it.
     * @throws when nothing can be recorded, as on a full disk
     */
    make: async (work: () => Promise<void> | void, later: () => void = () => undefined): Promise<void> => {
      try {
        await work()
      } catch (error) {
        log(error)
        later()
      }
    },
  }
}
