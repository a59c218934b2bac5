import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { senderSharesOf, UnavailableError } from '#platform'
import { senderCounter } from '../../foundation/platform/connection-limits.ts'

/** The time after which a slice ends; a request that arrives meanwhile waits no longer for it. */
const sliceMs = 3
/** The share of the event loop that documents in slices have even while other requests are under way. */
const leastShare = 0.15
/** Lists of fewer objects are completed as a whole. */
const minItems = 4
/** The documents that run concurrently, that wait to, and for how long. */
const maxRunning = 2
const maxWaiting = 16
const maxWaitMs = 3000
/** Of these places, those of one network; an IPv6 /48 has twice as many, or one line could take nearly all. */
const maxOfNetwork = 4
const maxFactor = 2
/** The time for which even a document that will be refused gives way. */
const givenMs = 8

/** Cooperative scheduling of one document's execution. */
export interface Slices {
  /** Runs the resolver of a root field in a turn of its own, after those before it have returned. */
  inTurn<Value>(resolve: () => Value | Promise<Value>): Promise<Value>
  /** The items of a list, each available in its turn. */
  spread(items: readonly unknown[]): readonly unknown[]
}

export interface TimeSlices {
  /**
   * Executes a document in slices of the event loop: between two of them other requests are served, and while there are any, it has a
   * small share of the time.
   * @throws UnavailableError if too many documents wait, or too many of the address's network are under way
   */
  run<Value>(execute: (slices: Slices) => Promise<Value> | Value, address?: string): Promise<Value>
  /** Waits for other requests, so briefly that a refusal is still a quick one. */
  giveWay(): Promise<void>
}

export interface TimeSlicesOptions {
  /** The number of requests under way that go first. */
  othersUnderWay: () => number
  now?: () => number
}

/** After everything that is completed as a consequence of what was resolved; outside of a microtask, a tick comes before them. */
const microtasks = () => new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)))

/** The part of a process's time that documents of strangers may have. */
export function createTimeSlices({ othersUnderWay, now = () => performance.now() }: TimeSlicesOptions): TimeSlices {
  const senders = senderCounter()
  const waiting: (() => void)[] = []
  let running = 0
  let steps: (() => void)[] = []
  let isWorking = false

  function schedule(step: () => void): void {
    steps.push(step)
    if (isWorking) return
    isWorking = true
    setImmediate(() => void work())
  }

  async function work(): Promise<void> {
    do {
      const startedAt = now()
      const due = steps
      steps = []
      let done = 0
      for (const end = startedAt + sliceMs; done < due.length && now() < end;) {
        due[done++]?.()
        await microtasks()
      }
      // Steps that this slice has led to come after those that were waiting.
      if (done < due.length) steps = [...due.slice(done), ...steps]
      await pauseAfter(now() - startedAt)
    } while (steps.length > 0)
    isWorking = false
  }

  async function pauseAfter(usedMs: number): Promise<void> {
    const end = now() + usedMs * (1 / leastShare - 1)
    await nextTurn()
    while (othersUnderWay() > 0 && now() < end) await sleep(1)
  }

  async function begin(): Promise<void> {
    if (running < maxRunning) return void running++
    if (waiting.length >= maxWaiting) throw new UnavailableError('Too many long queries at once')
    const end = now() + maxWaitMs
    const hasPlace = await new Promise<boolean>((resolve) => {
      const take = () => {
        clearTimeout(late)
        resolve(true)
      }
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(take), 1)
        resolve(false)
      }, maxWaitMs)
      waiting.push(take)
    })
    if (hasPlace && now() < end) return
    if (hasPlace) finish()
    throw new UnavailableError('Too many long queries at once')
  }

  /** Counts a document of a network; the returned function ends it. */
  function count(address: string): () => void {
    const shares = senderSharesOf(address).map(({ key, factor }) => ({ key, factor: Math.min(factor, maxFactor) }))
    const leave = () => senders.remove(shares)
    if (senders.add(shares) <= maxOfNetwork) return leave
    leave()
    throw new UnavailableError('Too many long queries of one network at once')
  }

  /** Passes the place on to the next document. */
  function finish(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return {
    run: async (execute, address = '') => {
      const leave = count(address)
      await begin().catch((error: unknown) => {
        leave()
        throw error
      })
      let isOver = false
      // After an error that emptied the answer, steps would still be due: nothing waits for them.
      const step = (work: () => void) => schedule(() => void (isOver || work()))
      let last: Promise<unknown> = Promise.resolve()
      try {
        return await execute({
          inTurn: (resolve) => {
            const turn = last.then(() => new Promise<void>((go) => step(go))).then(resolve)
            last = turn.catch(() => undefined)
            return turn
          },
          spread: (items) => (items.length < minItems ? items : items.map((item) => new Promise((complete) => step(() => complete(item))))),
        })
      } finally {
        isOver = true
        leave()
        finish()
      }
    },
    giveWay: async () => {
      for (const end = now() + givenMs; othersUnderWay() > 0 && now() < end;) await sleep(1)
    },
  }
}
