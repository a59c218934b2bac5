/**
 * Notifications between processes after a commit: `work`, there are events to handle, or `order`, the order with this id
 * has moved. A lost notification costs no more than the time until the next poll.
 */
export type WakeUp = { topic: 'work' } | { topic: 'order'; id: string }

const listeners = new Set<(wakeUp: WakeUp) => void>()
let tellOthers: ((wakeUp: WakeUp) => void) | undefined
let isWorkTold = false

/** Notifies this process and the others. Many commits at once send one notification. */
export function wake(wakeUp: WakeUp): void {
  if (wakeUp.topic === 'order') return tell(wakeUp)
  if (isWorkTold) return
  isWorkTold = true
  setImmediate(() => {
    isWorkTold = false
    tell(wakeUp)
  })
}

function tell(wakeUp: WakeUp): void {
  wakeHere(wakeUp)
  tellOthers?.(wakeUp)
}

/** Passes on a notification from another process. */
export function wakeHere(wakeUp: WakeUp): void {
  for (const listener of listeners) listener(wakeUp)
}

/** Returns a function that stops listening. */
export function onWake(listener: (wakeUp: WakeUp) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Connects the other processes from now on: polling becomes a safety net and may be slow. Returns a function that disconnects. */
export function connectWaking(others: (wakeUp: WakeUp) => void): () => void {
  tellOthers = others
  return () => (tellOthers = undefined)
}

export function isWoken(): boolean {
  return tellOthers !== undefined
}
