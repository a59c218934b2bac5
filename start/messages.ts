import { type WakeUp, connectWaking, processSettings, wakeHere } from '@purlin/server/foundation/platform/index.ts'

/** The messages between the processes of one shop. */
export type Message =
  | { kind: 'ready' }
  | { kind: 'stop' }
  /** Of a process that was told by a signal to end: it works on until it is asked to stop, once another stands in its place. */
  | { kind: 'leaving' }
  /** Passed on to the processes that subscribe to this topic. */
  | { kind: 'wake'; wakeUp: WakeUp }
  | { kind: 'gather'; id: number }
  | { kind: 'figures'; id: number; json: unknown }
  | { kind: 'gathered'; id: number; text: string }

export function sendToParent(message: Message): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

/** Commits of this process wake waiting processes, if all of them share a parent. */
export function wakeEachOther(): void {
  if (!process.connected || !processSettings().isWoken) return
  connectWaking((wakeUp) => sendToParent({ kind: 'wake', wakeUp }))
  process.on('message', (message: Message) => message.kind === 'wake' && wakeHere(message.wakeUp))
}

/** How long a process that was told to end waits for another in its place. */
const replacementMs = 30_000

/**
 * Runs `stop` once: when the parent asks, when it is gone, or on a signal; then the process ends. With `whenReplaced` a signal to this
 * process alone ends it only after its parent has started another, or has failed to for thirty seconds: whoever replaces the processes
 * one by one never has fewer at work.
 */
export function stopOnRequest(stop: () => Promise<void>, { patienceMs = 10_000, whenReplaced = false } = {}): void {
  let asked = false
  const end = () => {
    if (asked) return
    asked = true
    setTimeout(() => process.exit(1), patienceMs).unref()
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('message', (message: Message) => message.kind === 'stop' && end())
  process.on('disconnect', end)
  process.on('SIGTERM', () => {
    if (!whenReplaced || !process.connected) return end()
    sendToParent({ kind: 'leaving' })
    setTimeout(end, replacementMs).unref()
  })
  // Ctrl-C reaches every process of a terminal: the parent decides the order, so children wait to be told.
  process.on('SIGINT', () => process.connected || end())
}

/** After an uncaught error the state of the process is unknown: it exits, and its parent starts a new one. */
export function exitOnUncaught(tell: (reason: unknown) => void): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (reason) => {
      tell(reason)
      process.exit(1)
    })
  }
}
