import { TooBusyError } from './later.ts'

/** Concurrent hashes: one of libuv's four threads stays free for everything else in the process. */
const atOnce = 3
/** Waiting hashes: beyond that, refusing is better than being late for everybody. */
const maxQueueLength = 40

/** A network's share: however many passwords it sends, others get the next turn. */
export const shareOfNetwork = { running: 2, waiting: 8 }
/** Work of our own. */
const wholeShare = { running: atOnce, waiting: maxQueueLength }

interface Waiter {
  start(): void
  refuse(): void
}

interface Line {
  running: number
  waiting: Waiter[]
}

/** By network, the one whose last turn is longest ago first. Networks without work are removed. */
const lines = new Map<string, Line>()
let running = 0

const shareOf = (network: string) => (network === '' ? wholeShare : shareOfNetwork)
const waitingIn = (all: Iterable<Line>) => [...all].reduce((sum, { waiting }) => sum + waiting.length, 0)

/**
 * Hashes when it is the network's turn: networks take turns, and none has more than its share under way or waiting.
 * @throws TooBusyError
 */
export async function inTurn<Value>(network: string, hash: () => Promise<Value>): Promise<Value> {
  const line = lines.get(network) ?? { running: 0, waiting: [] }
  lines.set(network, line)
  try {
    if (running >= atOnce || line.running >= shareOf(network).running) await place(network, line)
    else begin(line)
    try {
      return await hash()
    } finally {
      running--
      line.running--
    }
  } finally {
    startNext()
    if (line.running === 0 && line.waiting.length === 0) lines.delete(network)
  }
}

function begin(line: Line): void {
  running++
  line.running++
}

/** Waits for a turn. When the queue is full, the longest line gives up its last place to a shorter one. */
async function place(network: string, line: Line): Promise<void> {
  if (line.waiting.length >= shareOf(network).waiting) throw new TooBusyError()
  if (waitingIn(lines.values()) >= maxQueueLength) {
    const [longest] = [...lines.values()].toSorted((a, b) => b.waiting.length - a.waiting.length)
    if (!longest || longest.waiting.length <= line.waiting.length + 1) throw new TooBusyError()
    longest.waiting.pop()?.refuse()
  }
  await new Promise<void>((start, reject) => line.waiting.push({ start, refuse: () => reject(new TooBusyError()) }))
}

function startNext(): void {
  while (running < atOnce) {
    const next = [...lines].find(([network, line]) => line.waiting.length > 0 && line.running < shareOf(network).running)
    if (!next) return
    const [network, line] = next
    lines.delete(network)
    lines.set(network, line)
    begin(line)
    line.waiting.shift()?.start()
  }
}
