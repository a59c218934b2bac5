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

/** A failure as JSON for programs; for a browser that navigates, a page in the language of its site. */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, message }: { status: number; message: string },
  hosts: SiteHosts,
): FastifyReply {
  const site = hosts.siteOf(request.headers.host)
  const isNavigation = request.headers['sec-fetch-mode'] === 'navigate' || /^text\/html\b/.test(request.headers.accept ?? '')
  if (!site || !isNavigation) return reply.code(status).send({ error: message })
  const t = wordsFor(site.market)
  const kind = kinds.get(status) ?? 'failed'
  const title = t(`error.${kind}.title`)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'")
    .send(
      `<!doctype html><html lang="${markets[site.market].language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<meta name="robots" content="noindex"><title>${title}</title>` +
        `<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem;color:#1d2321}a{color:inherit}</style>` +
        `<main><h1>${title}</h1><p>${t(`error.${kind}.text`)}</p><p><a href="/">${t('error.home')}</a></p></main></html>`,
    )
}
