import type { IncomingHttpHeaders } from 'node:http'
import { markets } from '@purlin/contract/markets.ts'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Message of the error page by status; other statuses read "failed". */
const kinds = new Map<number, 'forbidden' | 'not-found' | 'gone' | 'too-large' | 'too-many' | 'unavailable'>([
  [403, 'forbidden'],
  [404, 'not-found'],
  [410, 'gone'],
  [413, 'too-large'],
  [424, 'unavailable'],
  [429, 'too-many'],
  [503, 'unavailable'],
  [504, 'unavailable'],
])

interface Failure {
  status: number
  message: string
}

export function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure, hosts: SiteHosts): FastifyReply {
  const { headers, body } = failureAnswer(request.headers, failure, hosts)
  return reply.code(failure.status).headers(headers).send(body)
}

/** A failure as JSON for programs; for a browser that navigates, a page in the language of its site. */
export function failureAnswer(asked: IncomingHttpHeaders, { status, message }: Failure, hosts: SiteHosts): FailureAnswer {
  const site = hosts.siteOf(asked.host)
  const isNavigation = asked['sec-fetch-mode'] === 'navigate' || /^text\/html\b/.test(asked.accept ?? '')
  if (!site || !isNavigation)
    return { headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify({ error: message }) }
  const t = wordsFor(site.market)
  const kind = kinds.get(status) ?? 'failed'
  const title = t(`error.${kind}.title`)
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    },
    body:
      `<!doctype html><html lang="${markets[site.market].language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<meta name="robots" content="noindex"><title>${title}</title>` +
      `<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem;color:#1d2321}a{color:inherit}</style>` +
      `<main><h1>${title}</h1><p>${t(`error.${kind}.text`)}</p><p><a href="/">${t('error.home')}</a></p></main></html>`,
  }
}

interface FailureAnswer {
  headers: Record<string, string>
  body: string
}
