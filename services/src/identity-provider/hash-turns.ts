import { TooBusyError } from './later.ts'

/** Concurrent hashes: one of libuv's four threads stays free for everything else in the process. */
const atOnce = 3
/** Waiting hashes: beyond that, refusing is better than being late for everybody. */
const maxQueueLength = 40

/** A network's share: however many passwords it sends, others get the next turn. */
export const shareOfNetwork = { running: 2, waiting: 8 }
/**
 * What all networks have together, and each of them. Passwords that a count has refused are checked for the sake of a few: however many
 * there are, two of three hashes at once and the whole queue are left to the others.
 */
const shares = {
  usual: { running: atOnce, waiting: maxQueueLength, ofNetwork: shareOfNetwork },
  refused: { running: 1, waiting: 10, ofNetwork: { running: 1, waiting: 2 } },
}
export type Turns = keyof typeof shares

interface Waiter {
  start(): void
  refuse(): void
}

interface Line {
  turns: Turns
  /** Its share: all for work of our own. */
  share: { running: number; waiting: number }
  running: number
  waiting: Waiter[]
}

/** By turns and network, the one whose last turn is longest ago first. Networks without work are removed. */
const lines = new Map<string, Line>()
let running = 0

const linesOf = (turns: Turns) => [...lines.values()].filter((line) => line.turns === turns)
const runningOf = (turns: Turns) => linesOf(turns).reduce((sum, line) => sum + line.running, 0)
const waitingOf = (turns: Turns) => linesOf(turns).reduce((sum, { waiting }) => sum + waiting.length, 0)

/**
 * Hashes when it is the network's turn: networks take turns, and none has more than its share under way or waiting.
 * @throws TooBusyError
 */
export async function inTurn<Value>(network: string, hash: () => Promise<Value>, turns: Turns = 'usual'): Promise<Value> {
  const key = `${turns} ${network}`
  const line = lines.get(key) ?? { turns, share: network === '' ? shares[turns] : shares[turns].ofNetwork, running: 0, waiting: [] }
  lines.set(key, line)
  try {
    if (mayBegin(line)) begin(line)
    else await place(line)
    try {
      return await hash()
    } finally {
      running--
      line.running--
    }
  } finally {
    startNext()
    if (line.running === 0 && line.waiting.length === 0) lines.delete(key)
  }
}

function mayBegin({ turns, share, running: own }: Line): boolean {
  return running < atOnce && own < share.running && runningOf(turns) < shares[turns].running
}

function begin(line: Line): void {
  running++
  line.running++
}

/** Waits for a turn. When the queue is full, the longest line gives up its last place to a shorter one. */
async function place(line: Line): Promise<void> {
  if (line.waiting.length >= line.share.waiting) throw new TooBusyError()
  if (waitingOf(line.turns) >= shares[line.turns].waiting) {
    const [longest] = linesOf(line.turns).toSorted((a, b) => b.waiting.length - a.waiting.length)
    if (!longest || longest.waiting.length <= line.waiting.length + 1) throw new TooBusyError()
    longest.waiting.pop()?.refuse()
  }
  await new Promise<void>((start, reject) => line.waiting.push({ start, refuse: () => reject(new TooBusyError()) }))
}

function startNext(): void {
  while (running < atOnce) {
    const next = [...lines].find(([, each]) => each.waiting.length > 0 && mayBegin(each))
    if (!next) return
    const [key, line] = next
    lines.delete(key)
    lines.set(key, line)
    begin(line)
    line.waiting.shift()?.start()
  }
}
