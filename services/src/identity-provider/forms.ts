import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hostCookie, type IdentityContext } from './context.ts'

/** Browsers without the cookie yet: all forms of one page are for the same one. */
const newBrowsers = new WeakMap<IncomingMessage, string>()

/**
 * Forms that only our own pages can send: each holds a value signed for the cookie of this browser and the address it is
 * sent to. The browser's own word about where a request comes from is asked too.
 */
export function formKey(context: IdentityContext, request: IncomingMessage, response: ServerResponse, action: string): string {
  const name = hostCookie(context.url, 'form')
  let browser = newBrowsers.get(request) ?? readCookie(request, name)
  if (!browser || !/^[\w-]{43}$/.test(browser)) {
    browser = randomBytes(32).toString('base64url')
    newBrowsers.set(request, browser)
    const cookies = [response.getHeader('set-cookie') ?? []].flat().map(String)
    response.setHeader('set-cookie', [...cookies, `${name}=${browser}; Path=/; HttpOnly; SameSite=Lax`])
  }
  return sign(context, browser, action)
}

/** Was this form sent by a page of ours, in this browser, for this address? */
export function isOwnForm(context: IdentityContext, request: IncomingMessage, form: URLSearchParams, action: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  // Pages that send no referrer send no origin either: then the browser's other word must be there.
  if (origin === 'null' ? site !== 'same-origin' : origin !== undefined && origin !== new URL(context.url).origin) return false
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const browser = readCookie(request, hostCookie(context.url, 'form'))
  if (!browser) return false
  const expected = Buffer.from(sign(context, browser, action))
  const given = Buffer.from(form.get('form_key') ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function sign({ cookieSecret }: IdentityContext, browser: string, action: string): string {
  return createHmac('sha256', cookieSecret).update(`form\n${browser}\n${action}`).digest('base64url')
}

export function readCookie(request: IncomingMessage, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}
