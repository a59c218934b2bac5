import { request as httpRequest } from 'node:http'
import type { TestGateway } from '../../edges/gateway/testing.ts'
import { backChannelFetch } from './back-channel.ts'

/** A browser for tests: cookies per host, redirects followed one by one. */
export interface TestBrowser {
  /** By host, then by name. */
  cookies: Map<string, Map<string, string>>
  ask(address: string, options?: Ask): Promise<Reply>
  /** Signs in from the given host; returns the last response, that of the callback. */
  signIn(host?: string, options?: { provider?: string; callbackUrl?: string }): Promise<Reply>
  session(host?: string, query?: string): Promise<SessionJson>
  csrfToken(host?: string): Promise<string>
  post(path: string, fields: Record<string, string>, options?: Ask): Promise<Reply>
  /** `update(data)` of the client. */
  update(data: object, host?: string): Promise<Reply>
  graphql<Data>(query: string, host?: string): Promise<{ data: Data | null; errors?: { message: string }[] }>
}

export interface SessionJson {
  user?: { id: string; email: string; name: string }
  role?: string
  provider?: string
  expires?: string
  error?: string
}

interface Ask {
  host?: string
  method?: string
  body?: string
  headers?: Record<string, string>
}

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  setCookies: string[]
  /** As text. */
  body: string
  json: Record<string, unknown>
  location: string
}

export const gb = 'gb.localhost:3000'
export const pro = 'pro.gb.localhost:3000'

export function testBrowser({ url }: Pick<TestGateway, 'url'>): TestBrowser {
  const cookies = new Map<string, Map<string, string>>()
  const { port } = new URL(url)

  const ask: TestBrowser['ask'] = async (address, { host = gb, method = 'GET', body, headers = {} } = {}) => {
    const jar = cookies.get(host) ?? new Map<string, string>()
    cookies.set(host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await send(Number(port), address, {
      method,
      body,
      headers: {
        host,
        'user-agent': 'Mozilla/5.0 Chrome/140 Safari/537.36',
        'sec-fetch-site': method === 'GET' ? 'none' : 'same-origin',
        ...(cookie && { cookie }),
        ...headers,
      },
    })
    for (const line of reply.setCookies) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/Max-Age=0(?:;|$)/.test(line)) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return reply
  }
  const browser: TestBrowser = {
    cookies,
    ask,
    signIn: async (host = gb, { provider, callbackUrl = '/' } = {}) => {
      const query = new URLSearchParams({ callbackUrl, ...(provider && { provider }) })
      const started = await ask(`/api/auth/pre-login?${query}`, { host })
      if (!started.location.includes('/protocol/openid-connect/auth')) return started
      const back = await backChannelFetch(started.location, { method: 'GET', headers: {} })
      const to = new URL(back.headers.get('location') ?? '')
      return ask(to.pathname + to.search, { host: to.host })
    },
    session: async (host = gb, query = '') => (await ask(`/api/auth/session${query}`, { host })).json,
    csrfToken: async (host = gb) => String((await ask('/api/auth/csrf', { host })).json['csrfToken']),
    post: (path, fields, { headers, ...options } = {}) =>
      ask(path, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        ...options,
      }),
    update: async (data, host = gb) =>
      ask('/api/auth/session', {
        host,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ csrfToken: await browser.csrfToken(host), data }),
      }),
    graphql: async (query, host = gb) => {
      const headers = { 'content-type': 'application/json' }
      return (await ask('/graphql', { host, method: 'POST', headers, body: JSON.stringify({ query }) })).json as never
    },
  }
  return browser
}

function send(
  port: number,
  path: string,
  { method, headers, body }: Required<Pick<Ask, 'method' | 'headers'>> & { body?: string | undefined },
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
    let text = ''
    answer.setEncoding('utf8')
    answer.on('data', (part: string) => void (text += part))
    answer.on('end', () => {
      const setCookies = answer.headers['set-cookie'] ?? []
      const { location = '' } = answer.headers
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, setCookies, body: text, json: objectIn(text), location })
    })
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : {}
  } catch {
    return {}
  }
}
