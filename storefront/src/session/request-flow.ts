/** Steps of a request as a screen follows it. Source: spec §4. */
export type FlowState = { step: 'idle' } | { step: 'request' } | { step: 'success' } | { step: 'failure'; error: unknown }

export interface RequestFlow<Input, Value> {
  state(): FlowState
  /** Calls at every change; answers how to stop. */
  follow(listener: (state: FlowState) => void): () => void
  /** The value, or null after a failure, which the state then holds. */
  run(input: Input): Promise<Value | null>
  /** Forgets a failure. */
  resetError(): void
}

/** A request with its steps: request, then success or failure. Of two under way, the later one decides the state. */
export function requestFlow<Input, Value>(request: (input: Input) => Promise<Value>): RequestFlow<Input, Value> {
  let state: FlowState = { step: 'idle' }
  let latest = 0
  const listeners = new Set<(state: FlowState) => void>()
  const change = (next: FlowState) => {
    state = next
    for (const listener of listeners) listener(state)
  }
  return {
    state: () => state,
    follow: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    run: async (input) => {
      const run = ++latest
      change({ step: 'request' })
      try {
        const value = await request(input)
        if (run === latest) change({ step: 'success' })
        return value
      } catch (error) {
        if (run === latest) change({ step: 'failure', error })
        return null
      }
    },
    resetError: () => {
      if (state.step === 'failure') change({ step: 'idle' })
    },
  }
}
