import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isMarket, marketCodes, type Market } from '@purlin/contract/markets.ts'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import type { FastifyInstance } from 'fastify'
import { escapeHtml, type MailSite, type RenderedMail } from '#mail'
import { settings } from '#platform'
import { moduleFolders } from '../../modules.ts'

interface Previewed {
  name: string
  preview(site: MailSite): RenderedMail
}

/** The `mails` of every module's mails.ts, in module order. */
export async function loadMails(): Promise<Previewed[]> {
  const all: Previewed[] = []
  for (const folder of moduleFolders) {
    const file = join(import.meta.dirname, '../..', folder, 'mails.ts')
    if (!existsSync(file)) continue
    const { mails } = (await import(file)) as { mails?: Previewed[] }
    if (!mails) throw new Error(`${folder}/mails.ts exports no list called mails`)
    all.push(...mails)
  }
  return all
}

/** /dev/mails: every mail in each market's language, with example data. Closed on real domains. */
export async function mailPreviews(app: FastifyInstance, hosts: SiteHosts): Promise<void> {
  if (settings().isPublic) return
  const mails = await loadMails()
  const render = (name: string, market: string): RenderedMail | undefined => {
    const mail = mails.find((each) => each.name === name)
    return mail && isMarket(market) ? mail.preview(siteOf(hosts, market)) : undefined
  }
  const strict = `default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'`
  app.get('/dev/mails', (_request, reply) => {
    const items = mails.map(({ name, preview }) => {
      const links = marketCodes.map((market) => `<a href="/dev/mails/${name}/${market}">${market}</a>`)
      return `<li><strong>${escapeHtml(preview(siteOf(hosts, 'gb')).subject)}</strong><br><small>${escapeHtml(name)}</small><p>${links.join(' · ')}</p></li>`
    })
    return reply
      .type('text/html')
      .header('content-security-policy', strict)
      .send(page('Mails', `<h1>Mails</h1><ul>${items.join('')}</ul>`))
  })
  app.get<{ Params: { name: string; market: string } }>('/dev/mails/:name/:market', ({ params: { name, market } }, reply) => {
    const mail = render(name, market)
    if (!mail) return reply.code(404).type('text/plain').send('There is no such mail')
    const body = `<p><a href="/dev/mails">Mails</a></p><h1>${escapeHtml(mail.subject)}</h1>
<iframe src="/dev/mails/${name}/${market}/html" title="The mail" sandbox></iframe><h2>As plain text</h2><pre>${escapeHtml(mail.text)}</pre>`
    return reply.type('text/html').header('content-security-policy', strict).send(page(mail.subject, body))
  })
  app.get<{ Params: { name: string; market: string; form: string } }>('/dev/mails/:name/:market/:form', ({ params }, reply) => {
    const mail = render(params.name, params.market)
    if (!mail || (params.form !== 'html' && params.form !== 'text')) return reply.code(404).type('text/plain').send('There is no such mail')
    if (params.form === 'text') return reply.type('text/plain; charset=utf-8').send(mail.text)
    const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' http: https:; frame-ancestors 'self'; base-uri 'none'; sandbox`
    return reply.type('text/html').header('content-security-policy', policy).send(mail.html)
  })
}

function siteOf(hosts: SiteHosts, market: Market): MailSite {
  return { market, mode: 'b2c', origin: hosts.site(market, 'b2c').origin }
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="stylesheet" href="/dev/mailbox/style.css"></head><body><main>${body}</main></body></html>`
}
