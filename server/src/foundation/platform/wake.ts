/**
 * What a process tells the others after a commit: `work`, there are events to handle, or `order`, the order of this id
 * has moved. A wake-up that is lost costs the time until the next poll, nothing else.
 */
export type WakeUp = { topic: 'work' } | { topic: 'order'; id: string }

const listeners = new Set<(wakeUp: WakeUp) => void>()
let tellOthers: ((wakeUp: WakeUp) => void) | undefined
let isWorkTold = false

/** Tells this process and the others. Much work committed at once is told once. */
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

/** Hands on what another process told. */
export function wakeHere(wakeUp: WakeUp): void {
  for (const listener of listeners) listener(wakeUp)
}

/** Returns how to stop listening. */
export function onWake(listener: (wakeUp: WakeUp) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** From now on the other processes are told, and tell us: polling is the net and may be slow. Returns the way back. */
export function connectWaking(others: (wakeUp: WakeUp) => void): () => void {
  tellOthers = others
  return () => (tellOthers = undefined)
}

export function isWoken(): boolean {
  return tellOthers !== undefined
}
