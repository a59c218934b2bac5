import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { attempts } from '../attempts.ts'
import { closeServer } from '../close-server.ts'
import { openServer } from '../open-server.ts'
import { createApi, nextAfter } from './api.ts'
import { drawLabel } from './label.ts'
import { usualFate, type Fate } from './plan.ts'
import { openStore, type Due, type Pickup } from './store.ts'
import { pickupAt, pickupWire } from './pickups.ts'
import { happened, trackerWire } from './wire.ts'
import { readText } from '../read-text.ts'

export type { Fate } from './plan.ts'

export interface ParcelCarrierOptions {
  port: number
  /** Data file; ":memory:" for tests that need no persistence. */
  file: string
  apiKey: string
  webhookSecret: string
  /** The shop's webhook. */
  webhookUrl: string
  /** How many times faster than the calendar parcels travel; 0: only when the sandbox moves them. */
  speed: number
  fateOf?: (reference: string) => Fate
  /** For tests: pick-up points that have closed for good. */
  isGone?: (id: string) => boolean
  /** For tests: the carrier's clock. */
  now?: () => number
  /** For tests: messages that are never sent. */
  isSilent?: () => boolean
}

export interface ParcelCarrierServer {
  port: number
  /** Sends the messages that are due. */
  tick(): Promise<void>
  close(): Promise<void>
}

const maxBodyLength = 20_000
const atOnce = 20
const maxPause = 3_600_000
/** A parcel that stands still is one whose next event is years away. */
const standing = 1e-6
const pauseAfter = (attempts: number): number => Math.min(maxPause, 1_000 * 2 ** Math.min(attempts, 12))

/** A parcel carrier behind an aggregator's API: books, draws labels, tells of its parcels by signed messages and on request. */
export async function startParcelCarrier(options: ParcelCarrierOptions): Promise<ParcelCarrierServer> {
  const { apiKey, webhookSecret, webhookUrl, fateOf = usualFate, now = Date.now } = options
  const store = openStore(options.file)
  const attempt = attempts('parcel carrier')
  const speed = options.speed > 0 ? options.speed : standing
  let origin = ''
  const api = createApi({ store, apiKey, speed, now, fateOf, origin: () => origin, ...(options.isGone && { isGone: options.isGone }) })

  async function tell(description: string, result: object): Promise<boolean> {
    if (options.isSilent?.()) return true
    const created_at = new Date(now()).toISOString()
    const event = {
      id: `evt_${randomUUID()}`,
      object: 'Event',
      description,
      created_at,
      result,
    }
    const body = JSON.stringify(event)
    try {
      const answer = await fetch(webhookUrl, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          ...signatureOf(webhookSecret, { path: new URL(webhookUrl).pathname, body, at: new Date() }),
        },
        signal: AbortSignal.timeout(5_000),
      })
      await answer.body?.cancel()
      return answer.ok
    } catch {
      // The shop is not there at the moment: told again after a pause.
      return false
    }
  }

  async function tellOfParcel({ id, attempts: before }: Due): Promise<void> {
    const later = () => store.later(id, now() + pauseAfter(before))
    await attempt.make(async () => {
      const shipment = store.find(id)
      if (!shipment) return
      const told = happened(shipment, now()).length
      if (await tell('tracker.updated', trackerWire(shipment, now()))) store.heard(id, told, nextAfter(store.find(id)?.plan ?? [], told))
      else later()
    }, later)
  }

  async function tellOfPickup({ pickup: known, attempts: before }: { pickup: Pickup; attempts: number }): Promise<void> {
    const later = () => store.laterPickup(known.id, now() + pauseAfter(before))
    await attempt.make(async () => {
      const pickup = pickupAt(known, now())
      if (!(await tell('pickup.updated', pickupWire(pickup)))) return later()
      const { status, endsAt } = pickup
      // It may have changed while the shop was told.
      const latest = store.findPickup(pickup.id)
      if (latest?.status === known.status) store.savePickup({ ...latest, status, endsAt, told: status }, endsAt)
    }, later)
  }

  async function round(): Promise<void> {
    for (const due of store.due(now(), atOnce)) await tellOfParcel(due)
    for (const due of store.duePickups(now(), atOnce)) await tellOfPickup(due)
  }
  let running: Promise<void> = Promise.resolve()
  /** One round at a time, each with the time at which it begins. */
  let waiting = 0
  const tick = (): Promise<void> => {
    waiting += 1
    // On a full disk nothing can be recorded: the next round tells it again.
    return (running = running
      .then(round)
      .catch(attempt.log)
      .finally(() => (waiting -= 1)))
  }
  const timer = setInterval(() => waiting === 0 && void tick(), 500)
  timer.unref()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://carrier')
    const text = await readText(request, maxBodyLength)
    const label = /^\/labels\/(shp_[0-9a-f]{32})\.pdf$/.exec(url.pathname)?.[1]
    const shipment = label ? store.find(label) : undefined
    // Like an aggregator's: an address that cannot be guessed.
    if (shipment?.code) return send(response, 200, await drawLabel(shipment), 'application/pdf')
    const { status, body } = api({
      method: request.method ?? 'GET',
      url,
      authorization: request.headers.authorization ?? '',
      body: text === '' ? {} : parse(text),
    })
    send(response, status, JSON.stringify(body), 'application/json')
  }

  const server = openServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', () => resolve())
  })
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  return {
    port,
    tick,
    close: async () => {
      clearInterval(timer)
      await closeServer(server)
      await running
      store.close()
    },
  }
}

/** The signature covers time, method, path and body, so that a message can be neither changed, moved nor kept for later. */
export function signatureOf(secret: string, { path, body, at }: { path: string; body: string; at: Date }): Record<string, string> {
  const timestamp = at.toUTCString()
  const hash = createHmac('sha256', secret).update(`${timestamp}POST${path}${body}`).digest('hex')
  return { 'x-timestamp': timestamp, 'x-path': path, 'x-hmac-signature-v2': `hmac-sha256-hex=${hash}` }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function send(response: ServerResponse, status: number, body: string | Buffer, type: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' })
  response.end(body)
}
