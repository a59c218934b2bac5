import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hostCookie, type IdentityContext } from './context.ts'

/** For browsers without the cookie yet: all forms of one page share it. */
const newBrowsers = new WeakMap<IncomingMessage, string>()

/**
 * Forms that only our own pages can submit: each contains a value signed for this browser's cookie and the form's
 * address. The browser's Origin and Sec-Fetch-Site headers are checked as well.
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

/** Whether this form was submitted from one of our pages, in this browser, to this address. */
export function isOwnForm(context: IdentityContext, request: IncomingMessage, form: URLSearchParams, action: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  // Pages with no-referrer send no Origin either: then Sec-Fetch-Site must be present.
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
