import { createHmac, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Intent } from './intent.ts'
import { asWire, disputeWire } from './intent.ts'
import type { Store } from './store.ts'

export interface MessengerOptions {
  store: Store
  /** The shop's webhook address. */
  url: string
  secret: string
  /** Origin of the pages, as given in messages. */
  origin: () => string
}

export interface Messenger {
  /** Queues an event in the caller's transaction; not sent before `pauseMs` have passed. */
  tell(intent: Intent, events: readonly string[], now: number, pauseMs?: number): void
  /** Queues what the buyer's bank does about a captured intent: `dispute.opened`, and `dispute.won` or `dispute.lost` once it decides. */
  tellOfDispute(intent: Intent, now: number, pauseMs: number): void
  /** Checks for due messages now. */
  wake(): void
  stop(): Promise<void>
}

const lease = 10_000
const atOnce = 8
const slowMs = 10_000
const answerMs = 5000
/** Delivery to an unresponsive shop is retried for three days. */
const maxPause = 3_600_000
const triesAtMost = 80

/** Signed messages to the shop: delivered at least once, with growing pauses, each attempt signed anew. */
export function startMessenger({ store, url, secret, origin }: MessengerOptions): Messenger {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  let stopped = false
  let under: Promise<void> | undefined
  let again = false
  const round = async (): Promise<void> => {
    do {
      again = false
      for (let due = store.takeDue(Date.now(), lease, 64); due.length > 0 && !stopped; due = store.takeDue(Date.now(), lease, 64)) {
        const waiting = [...due]
        await Promise.all(
          Array.from({ length: Math.min(atOnce, due.length) }, async () => {
            for (let next = waiting.shift(); next && !stopped; next = waiting.shift()) {
              const copies = Array.from({ length: next.copies }, () => post(agent, url, next.body, secret))
              const heard = (await Promise.all(copies)).every(Boolean)
              if (stopped) return
              if (heard || next.attempts >= triesAtMost) store.delivered(next.id)
              else store.postpone(next.id, Date.now() + Math.min(maxPause, 500 * 2 ** Math.min(next.attempts, 14)))
            }
          }),
        )
      }
    } while (again && !stopped)
  }
  const wake = (): void => {
    if (stopped) return
    again = true
    // On a full disk nothing can be recorded: what was delivered meanwhile is delivered again once its lease has expired.
    under ??= round()
      .catch(() => undefined)
      .finally(() => {
        under = undefined
      })
  }
  const timer = setInterval(wake, 250)
  timer.unref()
  return {
    tell: (intent, events, now, pauseMs = 0) => {
      if (intent.messages === 'lost') return
      events.forEach((type, index) => {
        const id = `evt_${randomUUID()}`
        // Each event contains the intent as of that moment, as a delayed message would.
        const seen = events.length > 1 && index < events.length - 1 ? { ...intent, status: type as Intent['status'] } : intent
        const late =
          intent.messages === 'slow' ? slowMs : intent.messages === 'reordered' ? (index === 0 && type !== 'captured' ? 4000 : 0) : 0
        const body = JSON.stringify({ id, type: `intent.${type}`, created: new Date(now).toISOString(), intent: asWire(seen, origin()) })
        store.queue({ id, body, at: now + pauseMs + late, copies: intent.messages === 'twice' ? 3 : 1 })
      })
    },
    tellOfDispute: (intent, now, pauseMs) => {
      const { chargedBack = 'open', decidesAt = now } = intent
      const tell = (type: string, at: number) => {
        const id = `evt_${randomUUID()}`
        const body = JSON.stringify({ id, type: `dispute.${type}`, created: new Date(at).toISOString(), dispute: disputeWire(intent) })
        store.queue({ id, body, at, copies: 1 })
      }
      tell('opened', now + pauseMs)
      if (chargedBack !== 'open') tell(chargedBack, Math.max(decidesAt, now + pauseMs))
    },
    wake: () => void setImmediate(wake),
    stop: async () => {
      stopped = true
      clearInterval(timer)
      agent.destroy()
      await under
    },
  }
}

/** The signature of a message covers time and body, which prevents tampering and late replays. */
export function sign(secret: string, body: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

function post(agent: Agent, url: string, body: string, secret: string): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        timeout: answerMs,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-payment-signature': sign(secret, body, Math.floor(Date.now() / 1000)),
        },
      },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve((answer.statusCode ?? 500) < 300))
        answer.on('error', () => resolve(false))
      },
    )
    sent.on('timeout', () => sent.destroy(new Error('timeout')))
    sent.on('error', () => resolve(false))
    sent.end(body)
  })
}
