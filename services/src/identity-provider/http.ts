import type { IncomingMessage, ServerResponse } from 'node:http'

const maxBodyLength = 20_000

/** The body of a form; undefined when it is too long or not a form. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')) return undefined
  const text = await readBody(request)
  return text === undefined ? undefined : new URLSearchParams(text)
}

/** The body as text; undefined when it is too long. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBodyLength) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Security headers of every page. Forms submit to the provider itself, and redirect from there back to the shop. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // A page's address may be that of a one-time link and must not leak; but with "no-referrer" a form would not send its origin.
  'referrer-policy': 'same-origin',
  'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
} as const

export function sendPage(response: ServerResponse, status: number, html: string, formTargets: readonly string[] = []): void {
  const policy = contentPolicy(formTargets)
  response.writeHead(status, { ...pageHeaders, 'content-length': Buffer.byteLength(html), 'content-security-policy': policy })
  response.end(html)
}

export function contentPolicy(formTargets: readonly string[]): string {
  // CSP has no syntax for IPv6 addresses.
  const targets = formTargets.filter((target) => !target.includes('['))
  return `default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self' ${targets.join(' ')}; frame-ancestors 'none'; base-uri 'none'`
}

export function sendText(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  const headers = { 'content-type': type, 'content-length': Buffer.byteLength(text), 'x-content-type-options': 'nosniff' }
  response.writeHead(status, { ...headers, 'cache-control': 'no-store' })
  response.end(text)
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'content-length': '0' })
  response.end()
}

/** Every cookie is Secure, which oidc-provider sets only on https, though browsers accept it on localhost too. */
export function secureCookies(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response)
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    const cookies = [response.getHeader('set-cookie') ?? []].flat().map(String)
    if (cookies.length > 0) {
      response.setHeader(
        'set-cookie',
        cookies.map((cookie) => (/;\s*secure/i.test(cookie) ? cookie : `${cookie}; Secure`)),
      )
    }
    return writeHead(...args)
  }) as typeof response.writeHead
}
