import { AggregatorRegistry, register } from 'prom-client'
import type { ChildProcess } from 'node:child_process'
import { type Message, sendToParent } from './messages.ts'

/** Longer than an event loop is busy when it is time for an alert, and within the ten seconds that Prometheus waits. */
const patienceMs = 2500
let lastId = 0

/** In a child: requests the metrics of all processes from the parent; without a parent, its own. */
export function gatherMetrics(): Promise<string> {
  if (!process.connected) return register.metrics()
  const id = ++lastId
  return new Promise((resolve) => {
    const done = (text: string | Promise<string>) => {
      clearTimeout(late)
      process.off('message', listen)
      resolve(text)
    }
    const late = setTimeout(() => done(register.metrics()), 2 * patienceMs)
    const listen = (message: Message) => {
      if (message.kind === 'gathered' && message.id === id) done(message.text)
    }
    process.on('message', listen)
    sendToParent({ kind: 'gather', id })
  })
}

/** In a child: responds when the parent collects. */
export function serveMetrics(): void {
  process.on('message', async (message: Message) => {
    if (message.kind === 'gather') sendToParent({ kind: 'figures', id: message.id, json: await register.getMetricsAsJSON() })
  })
}

/** In the parent: the metrics of all children as one text. Children that do not respond in time are left out. */
export async function collectMetrics(children: readonly ChildProcess[]): Promise<string> {
  const id = ++lastId
  const answers = await Promise.all(
    children.map(
      (child) =>
        new Promise<unknown>((resolve) => {
          const listen = (message: Message) => {
            if (message.kind === 'figures' && message.id === id) done(message.json)
          }
          const done = (json: unknown) => {
            clearTimeout(late)
            child.off('message', listen)
            resolve(json)
          }
          const late = setTimeout(() => done(undefined), patienceMs)
          child.on('message', listen)
          child.send({ kind: 'gather', id } satisfies Message, () => undefined)
        }),
    ),
  )
  return AggregatorRegistry.aggregate(answers.filter((answer) => answer !== undefined) as never).metrics()
}
