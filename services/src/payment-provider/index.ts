import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { css, font, script } from './assets.ts'
import { createApi } from './api.ts'
import { answerChallenge, refuseCredit, takesCard, useCard, useWay, type Intent } from './intent.ts'
import { learn, type Known } from './known.ts'
import { isSameCard, newSavedCard, offeredCards } from './saved-cards.ts'
import { readCard } from './card-form.ts'
import { startMessenger } from './messages.ts'
import { cardPage, challengePage, closedPage, donePage, homePage } from './pages.ts'
import { openStore } from './store.ts'
import { challengeCode } from './demo-cards.ts'
import { isCredit, refusedCode } from './ways.ts'
import { wayPage } from './way-pages.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { closeServer } from '../close-server.ts'
import { openServer } from '../open-server.ts'

export interface ProviderOptions {
  port: number
  /** Data file; ":memory:" for tests that need no persistence. */
  file: string
  secret: string
  webhookSecret: string
  /** The shop's webhook. */
  webhookUrl: string
  /** Host name for browsers; default: pay.localhost and the port. */
  origin?: string
  /** How long a payout takes to arrive; a minute unless said otherwise. */
  payoutMs?: number
  /** How long a bank takes to decide a dispute about a payment; a minute unless said otherwise. */
  disputeMs?: number
  /** Payments and cards from before its first start. */
  known?: Known
  /** For tests: makes API calls fail after they have taken effect, as real ones may. */
  misbehave?: (path: string) => 'answer-500' | 'hang' | 'garbage' | undefined
}

export interface PaymentProviderServer {
  origin: string
  port: number
  close(): Promise<void>
}

const maxBodyLength = 20_000

/** A standalone payment provider: its own origin, its own process if needed, its own durable store, signed messages. */
export async function startPaymentProvider(options: ProviderOptions): Promise<PaymentProviderServer> {
  const store = openStore(options.file)
  if (options.known) learn(store, options.known)
  let origin = options.origin ?? ''
  const messenger = startMessenger({ store, url: options.webhookUrl, secret: options.webhookSecret, origin: () => origin })
  const { secret, payoutMs = 60_000, disputeMs = 60_000 } = options
  const api = createApi({ store, messenger, secret, origin: () => origin, payoutMs, disputeMs })

  const take = (next: { intent: Intent; events: string[] }): Intent => {
    const { customer, keeping } = next.intent
    const isKept = next.intent.status === 'authorised' && keeping !== null
    let intent = isKept ? { ...next.intent, keeping: null } : next.intent
    store.together(() => {
      // A customer who has closed their account in the meantime saves no cards.
      if (isKept && customer !== null && store.customer(customer)) {
        store.saveCard(newSavedCard(customer, keeping, Date.now()))
        const saved = store.cardsOf(customer).find((card) => isSameCard(card, keeping))
        if (intent.isSetup && saved) intent = { ...intent, setupCard: saved.id }
      }
      store.save(intent)
      messenger.tell(intent, next.events, Date.now())
    })
    messenger.wake()
    return intent
  }

  const pay = (request: IncomingMessage, response: ServerResponse, url: URL, body: string): void => {
    const [, id = '', step = ''] = /^\/pay\/([\w-]{1,64})(\/challenge)?$/.exec(url.pathname) ?? []
    const intent = store.intent(id)
    if (!intent || url.searchParams.get('secret') !== intent.secret)
      return send(response, 404, 'text/plain; charset=utf-8', 'There is no such payment')
    const now = new Date()
    const customer = intent.customer === null ? undefined : store.customer(intent.customer)
    const cards = customer ? offeredCards(store.cardsOf(customer.id), customer, now) : []
    const show = (html: string, status = 200): void => send(response, status, 'text/html; charset=utf-8', html, intent.frameOrigin)
    const form = new URLSearchParams(request.method === 'POST' ? body : '')
    if (intent.status === 'authorised' || intent.status === 'captured') return finish(request, response, intent)
    if (!takesCard(intent)) return show(closedPage(intent))
    if (request.method !== 'POST') return show(step && intent.challenge ? stepPage(intent) : cardPage(intent, { cards }))

    if (step) {
      if (!intent.challenge) return show(cardPage(intent, { cards }))
      const answer = (form.get('answer') ?? '').trim()
      if (intent.way && isCredit(intent.way) && answer === refusedCode && !form.get('cancel')) return go(take(refuseCredit(intent)))
      // A wallet has recognised its owner already.
      const isConfirmed = answer === challengeCode || (intent.way != null && !isCredit(intent.way))
      return go(take(answerChallenge(intent, form.get('cancel') ? 'cancelled' : isConfirmed)))
    }
    if (form.has('way')) {
      const way = intent.ways?.find((each) => each === form.get('way'))
      return way ? go(take(useWay(intent, way))) : show(cardPage({ ...intent, failure: null }, { cards }), 422)
    }
    if (form.has('saved')) {
      // Only cards offered on this page: one of somebody else, deleted or expired cannot pay.
      const saved = cards.find((card) => card.id === form.get('saved'))
      return saved
        ? go(take(useCard(intent, saved, now, intent.isSetup)))
        : show(cardPage({ ...intent, failure: null }, { cards, isGone: true }), 422)
    }
    const read = readCard(form, wordsFor(intent.market), now)
    if ('problems' in read) return show(cardPage({ ...intent, failure: null }, { cards, problems: read.problems, typed: form }), 422)
    return go(take(useCard(intent, read.card, now, intent.isSetup || form.get('save') === 'yes')))

    function go(next: Intent): void {
      if (next.status === 'authorised') finish(request, response, next)
      else if (next.challenge) show(stepPage(next))
      else show(cardPage(next, { cards, typed: form }))
    }
  }

  const server = openServer((request, response) => {
    void readBody(request).then(
      (body) => {
        try {
          const url = new URL(request.url ?? '/', 'http://provider')
          if (url.pathname.startsWith('/v1/')) {
            const answer = api({ method: request.method ?? 'GET', url, headers: request.headers, body })
            const mood = options.misbehave?.(url.pathname)
            if (mood === 'hang') return
            if (mood === 'answer-500') return send(response, 500, 'application/json', '{"error":{"code":"internal"}}')
            if (mood === 'garbage') return send(response, 200, 'application/json', '{"nonsense":')
            return send(response, answer.status, 'application/json', answer.body)
          }
          if (url.pathname.startsWith('/pay/')) return pay(request, response, url, body)
          if (url.pathname === '/frame.css') return send(response, 200, 'text/css; charset=utf-8', css)
          if (url.pathname === '/archivo.woff2') return send(response, 200, 'font/woff2', font)
          if (url.pathname === '/frame.js') return send(response, 200, 'text/javascript; charset=utf-8', script)
          if (url.pathname === '/health') return send(response, 200, 'application/json', '{"ok":true}')
          if (url.pathname === '/') return send(response, 200, 'text/html; charset=utf-8', homePage())
          send(response, 404, 'text/plain; charset=utf-8', 'There is nothing at this address')
        } catch (error) {
          // Never the request itself: it may contain a card number.
          process.stderr.write(
            `${JSON.stringify({ level: 'error', msg: 'payment provider', reason: error instanceof Error ? error.message : 'unknown' })}\n`,
          )
          if (!response.headersSent) send(response, 500, 'application/json', '{"error":{"code":"internal"}}')
        }
      },
      () => send(response, 413, 'text/plain; charset=utf-8', 'Too long'),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, () => resolve())
  })
  const { port } = server.address() as AddressInfo
  origin ||= `http://pay.localhost:${port}`
  messenger.wake()
  return {
    origin,
    port,
    close: async () => {
      await closeServer(server)
      await messenger.stop()
      store.close()
    },
  }
}

/** The page on which a payment is confirmed: the bank's, or that of a wallet or credit. */
function stepPage(intent: Intent): string {
  return intent.way ? wayPage(intent, intent.way) : challengePage(intent)
}

/** Returns to the shop: directly if the page is the whole window, by script or link if it is in a frame. */
function finish(request: IncomingMessage, response: ServerResponse, intent: Intent): void {
  if (request.headers['sec-fetch-dest'] === 'document') {
    response.writeHead(303, { location: intent.returnUrl, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    response.end()
    return
  }
  send(response, 200, 'text/html; charset=utf-8', donePage(intent), intent.frameOrigin)
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer, shop?: string): void {
  const isPage = type.startsWith('text/html')
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': /^(?:font|text\/(?:css|javascript))/.test(type) ? 'max-age=300' : 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(isPage && {
      // Only the requesting shop may frame the card fields, and forms redirect only to it.
      'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src data:; form-action 'self' ${shop ?? ''}; frame-ancestors ${shop ?? "'none'"}; base-uri 'none'`,
    }),
  })
  response.end(body)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBodyLength) throw new Error('too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
