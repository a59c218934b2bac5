import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Order, Report } from './server.ts'

export interface Served {
  origin: string
  openMs: number
  entries: number
  build(path: string): Promise<number>
  memory(): Promise<{ rssMb: number; sharedMb: number }>
  startUpdates(perSecond: number, among: number): void
  /** Ends the process; returns how many updates it made durable, and within which time. */
  stop(): Promise<{ updates: number; ms: number }>
}

type Answer<Key extends string> = Extract<Report, Record<Key, number>>

/** Starts the benchmark's server. */
export async function serve(directory: string, threads: number): Promise<Served> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), [directory, String(threads)])
  const heard: Report[] = []
  let wake = () => undefined as void
  child.on('message', (message: Report) => {
    heard.push(message)
    wake()
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  let isEnded = false
  void ended.then(() => {
    isEnded = true
    wake()
  })

  async function hear<Key extends string>(key: Key): Promise<Answer<Key>> {
    for (;;) {
      const at = heard.findIndex((message) => key in message)
      if (at >= 0) return heard.splice(at, 1)[0] as Answer<Key>
      if (isEnded) throw new Error('the benchmark server ended')
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const order = (message: Order) => void child.send(message)

  const { port, openMs, entries } = await hear('port')
  return {
    origin: `http://127.0.0.1:${port}`,
    openMs,
    entries,
    async build(path) {
      order({ do: 'build', path })
      return (await hear('builtMs')).builtMs
    },
    async memory() {
      order({ do: 'memory' })
      return hear('rssMb')
    },
    startUpdates: (perSecond, among) => order({ do: 'update', perSecond, among }),
    async stop() {
      order({ do: 'stop' })
      const done = await hear('updates')
      await ended
      return done
    },
  }
}
