import { pageFacts } from './page-facts.ts'

/** Header names the server knows. */
const idempotencyKeyHeader = 'idempotency-key'
const exchangeTokenHeader = 'x-exchange-token'

export interface Call {
  /** Sent as JSON; a call with a body is a POST by default. */
  body?: object
  method?: string
  headers?: Record<string, string>
  idempotencyKey?: string
  exchangeToken?: string
  /** Overrides the setting REQUEST_TIMEOUT. */
  timeoutMs?: number
  signal?: AbortSignal
}

/** Our own host and its subdomains: cookies are sent to no other. */
function isOurs(url: URL): boolean {
  return url.hostname === location.hostname || url.hostname.endsWith(`.${location.hostname}`)
}

/** How often a call is sent to a shop that is too busy to begin with it. */
const maxTries = 3

/**
 * Every call from the browser to the shop. Throws without a response in time; statuses are left to the caller. (R-527…R-533) A call that the
 * shop was too busy to begin is sent again when the shop says, and a random while later, so that browsers refused together do not
 * return together. (V-12)
 */
export async function callApi(
  address: string,
  { body, method, headers, idempotencyKey, exchangeToken, timeoutMs, signal }: Call = {},
): Promise<Response> {
  const facts = pageFacts()
  const url = new URL(address, location.href)
  const late = AbortSignal.timeout(timeoutMs ?? facts.timeoutMs)
  const request: RequestInit = {
    method: method ?? (body ? 'POST' : 'GET'),
    credentials: isOurs(url) ? 'include' : 'omit',
    cache: 'no-store',
    signal: signal ? AbortSignal.any([signal, late]) : late,
    headers: {
      'content-type': 'application/json',
      'x-requested-with': 'XMLHttpRequest',
      'x-user-agent': `purlin-storefront/${facts.version}`,
      ...(idempotencyKey && { [idempotencyKeyHeader]: idempotencyKey }),
      ...(exchangeToken && { [exchangeTokenHeader]: exchangeToken }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  }
  for (let tries = 1; ; tries++) {
    const answer = await fetch(url, request)
    if (tries === maxTries || !answer.headers.has('x-not-begun')) return answer
    const seconds = Number(answer.headers.get('retry-after'))
    await new Promise((resolve) => setTimeout(resolve, 1000 * (seconds + tries * Math.random())))
  }
}
