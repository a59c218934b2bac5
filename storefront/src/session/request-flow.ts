/** States of a request as shown on screen. Source: spec §4. */
export type FlowState = { step: 'idle' } | { step: 'request' } | { step: 'success' } | { step: 'failure'; error: unknown }

export interface RequestFlow<Input, Value> {
  state(): FlowState
  /** Calls back at every change; returns a function that stops it. */
  follow(listener: (state: FlowState) => void): () => void
  /** The value, or null after a failure, which is then in the state. */
  run(input: Input): Promise<Value | null>
  /** Clears a failure. */
  resetError(): void
}

/** A request with its states: request, then success or failure. Of two in flight, the later one determines the state. */
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
