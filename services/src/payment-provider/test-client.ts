/** For tests: the provider's API as the shop calls it, and its pages as a browser does. */
interface Known {
  id: string
  frame_url: string
}

interface TestClient<Wire extends Known> {
  api(path: string, body?: object, headers?: Record<string, string>, at?: string): Promise<{ status: number; json: Wire }>
  page(
    of: Pick<Wire, 'frame_url'>,
    fields?: Record<string, string>,
    step?: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; text: string }>
}

export function testClient<Wire extends Known>(secret: string, base: () => string): TestClient<Wire> {
  let keys = 0
  return {
    async api(path, body, headers = {}, at = base()) {
      const response = await fetch(at + path, {
        method: body ? 'POST' : 'GET',
        headers: {
          connection: 'close',
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'idempotency-key': `key-number-${keys++}`,
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, json: (await response.json()) as Wire }
    },
    async page({ frame_url }, fields, step = '', headers = {}) {
      const { pathname, search } = new URL(frame_url)
      const response = await fetch(`${base()}${pathname}${step}${search}`, {
        redirect: 'manual',
        headers: { connection: 'close', ...headers },
        ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
  }
}

/** A payment request as the shop sends it. */
export const testPaymentRequest = {
  amount: 1234,
  currency: 'GBP',
  reference: 'ours',
  description: 'P123',
  market: 'gb',
  pay_label: 'Buy now · £12.34',
  return_url: 'http://gb.localhost:3000/back',
  frame_origin: 'http://gb.localhost:3000',
}
