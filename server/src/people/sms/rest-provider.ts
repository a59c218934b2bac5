import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { ForgedReport, type ProviderNews, type SmsProvider } from './provider.ts'

export interface RestProviderOptions {
  url: string
  account: string
  token: string
  /** The number that messages come from, and that takes replies. */
  sender: string
  /** Where the provider reports to, exactly as it signs it. */
  webhookUrl: string
}

const states: Readonly<Record<string, 'sent' | 'delivered' | 'failed'>> = {
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
}

const clockSkewMs = 30_000
const messageList = v.object({ messages: v.array(v.object({ sid: v.string(), body: v.string(), date_created: v.string() })) })

/** Twilio's resource "Messages" and everything that speaks its form: form-encoded, basic authentication, reports signed with HMAC-SHA1. */
export function restProvider({ url, account, token, sender, webhookUrl }: RestProviderOptions): SmsProvider {
  const messages = `${url}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages`
  const address = `${messages}.json`
  const authorization = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`
  return {
    async send({ to, body }, signal) {
      const form = new URLSearchParams({ To: to, From: sender, Body: body, StatusCallback: webhookUrl })
      const answer = await fetch(address, { method: 'POST', headers: { authorization }, body: form, redirect: 'error', signal })
      const result = (await answer.json().catch(() => ({}))) as { sid?: unknown; code?: unknown }
      if (answer.ok && typeof result.sid === 'string') return { reference: result.sid }
      // A refused number or text stays refused; wrong credentials, too many calls and faults of the provider pass.
      if (answer.status === 400) return { refused: String(result.code ?? '400').slice(0, 20) }
      throw new Error(`The SMS provider responded with ${answer.status}, code ${String(result.code ?? 'none')}`)
    },
    async findSent({ to, body, since }, signal) {
      const query = new URLSearchParams({ To: to, From: sender, PageSize: '50' })
      const answer = await fetch(`${address}?${query}`, { headers: { authorization }, redirect: 'error', signal })
      if (!answer.ok) throw new Error(`The SMS provider responded with ${answer.status} to a search`)
      const { messages: found } = v.parse(messageList, await answer.json())
      // Their times have whole seconds, and their clock is not ours.
      const earliest = since.getTime() - clockSkewMs
      return found.flatMap((one) => (one.body === body && Date.parse(one.date_created) >= earliest ? [one.sid] : []))
    },
    async remove(reference, signal) {
      const { status } = await fetch(`${messages}/${encodeURIComponent(reference)}.json`, {
        method: 'DELETE',
        headers: { authorization },
        redirect: 'error',
        signal,
      })
      if (status >= 300 && status !== 404) throw new Error(`The SMS provider responded with ${status} to a removal`)
    },
    read(body, headers): ProviderNews | undefined {
      const fields = new URLSearchParams(body)
      const signature = headers['x-twilio-signature']
      if (typeof signature !== 'string' || !isSame(signature, signatureOf(token, webhookUrl, fields))) throw new ForgedReport('signature')
      const reference = fields.get('MessageSid') ?? ''
      const from = fields.get('From') ?? ''
      if (reference === '') return undefined
      const status = fields.get('MessageStatus')
      if (status === null)
        return fields.has('Body') && from ? { kind: 'reply', reference, from, body: fields.get('Body') ?? '' } : undefined
      const state = states[status]
      return state && { kind: 'report', reference, state, errorCode: fields.get('ErrorCode')?.slice(0, 20) ?? null }
    },
  }
}

/** Over the address and all fields in the order of their names. */
export function signatureOf(token: string, url: string, fields: URLSearchParams): string {
  const sorted = [...fields].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return createHmac('sha1', token)
    .update(url + sorted.map(([name, value]) => name + value).join(''))
    .digest('base64')
}

function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
