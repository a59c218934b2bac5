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

/** Every call from the browser to the shop. Throws without a response in time; statuses are left to the caller. (R-527…R-533) */
export function callApi(
  address: string,
  { body, method, headers, idempotencyKey, exchangeToken, timeoutMs, signal }: Call = {},
): Promise<Response> {
  const facts = pageFacts()
  const url = new URL(address, location.href)
  const late = AbortSignal.timeout(timeoutMs ?? facts.timeoutMs)
  return fetch(url, {
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
  })
}
