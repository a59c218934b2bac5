import { randomBytes, randomUUID } from 'node:crypto'
import type { Mode } from '@purlin/contract/markets.ts'
import type { AskOptions } from './serve-shop.ts'
import type { VisitorsShop } from './visitors.ts'

/** The status 429, which comes with Retry-After. */
export const tooMany = '429'
/** Refused like anything else, so that nobody learns from it: nothing is sent or stored. */
export const silence = 'silence'

export const vitalBody = {
  browserContext: { url: '/', userAgent: '' },
  service: 'storefront',
  resource: 'product',
  version: '1',
  metrics: [{ name: 'LCP', value: 1, startTime: 0 }],
  startTime: 0,
  duration: 1,
}
/** As of a browser's PushManager, with an endpoint of its own. */
export const newSubscription = () => ({
  endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`,
  keys: { p256dh: randomBytes(65).toString('base64url'), auth: randomBytes(16).toString('base64url') },
})

interface GraphqlOptions {
  variables?: object
  cookie?: string
  host?: string
  /** Refusals for other reasons than too many requests. */
  served?: readonly string[]
  headers?: Record<string, string>
}

/** Requests to the running shop from addresses of one's choice; each tells "served", or what it was refused with. */
export function requestsOf(shop: VisitorsShop) {
  const { gateway } = shop
  const { pool } = shop.database
  let addresses = 0
  /** Of a network of its own. */
  const newAddress = () => `2001:db8:${(++addresses).toString(16)}::1`

  const ask = (from: string, path: string, { mode = 'b2c', ...options }: AskOptions & { mode?: Mode } = {}) =>
    shop.ask('anonymous', mode, path, { ...options, headers: { ...options.headers, 'x-forwarded-for': from } })
  const told = (status: number, retryAfter: unknown, body: string, served: readonly number[]) => {
    if (status === 429) return Number(retryAfter) >= 1 ? tooMany : '429 without Retry-After'
    return served.includes(status) ? 'served' : `${status} ${body}`
  }
  const asks =
    (path: string, options: Parameters<typeof ask>[2] = {}, served: readonly number[] = [200]) =>
    async (from: string): Promise<string> => {
      const { status, headers, body } = await ask(from, path, options)
      return told(status, headers['retry-after'], body, served)
    }
  /** A field of GraphQL, called "answer"; reasons that belong to a command that was looked at count as served. */
  const graphql = async (
    from: string,
    query: string,
    { variables = {}, cookie = '', host, served = [], headers = {} }: GraphqlOptions = {},
  ): Promise<string> => {
    const sent = await gateway.post(query, variables, { cookie, ...(host && { host }), headers: { ...headers, 'x-forwarded-for': from } })
    const { data, errors } = sent.body as {
      data?: { answer?: { refusal?: { reason: string } | null } | null } | null
      errors?: { message: string; extensions: { code: string } }[]
    }
    if (sent.status === 429) return told(429, sent.headers.get('retry-after'), '', [])
    if (errors) return `${errors[0]?.extensions.code} ${errors[0]?.message}`
    const reason = data?.answer?.refusal?.reason
    return reason === undefined || served.includes(reason) ? 'served' : reason
  }
  const count = async (text: string, ...values: unknown[]) =>
    (await pool.query<{ n: number }>(`select count(*)::int as n from ${text}`, values)).rows[0]?.n ?? 0
  /** Whether a request left one more row. */
  const leaving = async (rows: () => Promise<number>, send: () => Promise<string>): Promise<string> => {
    const before = await rows()
    const outcome = await send()
    return outcome === 'served' && (await rows()) === before ? silence : outcome
  }
  const mailsTo = (email: string) => () => count('mail.mail where recipient = $1', email)
  const jobs = (name: string) => () => count('platform.job where name = $1', name)

  return { newAddress, addressesSoFar: () => addresses, asks, graphql, count, leaving, mailsTo, jobs }
}
