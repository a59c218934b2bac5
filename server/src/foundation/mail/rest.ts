import type { FastifyInstance } from 'fastify'
import { settings } from '#platform'
import type { Services } from '../../edges/gateway/services.ts'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import { escapeHtml } from './escape-html.ts'
import { mailSettings } from './settings.ts'
import { readMailbox, readMailboxEntry } from './store.ts'

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="stylesheet" href="/dev/mailbox/style.css"></head><body><main>${body}</main></body></html>`

const css = `:root { color-scheme: light dark } body { margin: 0; background: light-dark(#f6f4ef, #13151a); color: light-dark(#1a1d24, #f1f0ec); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem } ul { list-style: none; padding: 0; margin: 0 }
li a { display: block; padding: .75rem 1rem; margin-bottom: .5rem; border-radius: 8px; background: light-dark(#fff, #1c1f26); color: inherit; text-decoration: none }
li a:hover, li a:focus-visible { outline: 2px solid light-dark(#2237b4, #94a2ff) } small { color: light-dark(#4a505c, #bfc2c9) }
a { color: light-dark(#2237b4, #94a2ff) } iframe { width: 100%; height: 60rem; border: 0; border-radius: 14px; background: #fff } pre { white-space: pre-wrap }`

/**
 * The embedded mailbox at /dev/mailbox: mails that would have been sent. It is absent where mails are sent by SMTP,
 * and on real domains.
 */
export function routes(app: FastifyInstance, { db }: Services): void {
  if (settings().isPublic || mailSettings().smtp) return
  const strict = `default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'`
  setRoutesAction(app, 'mailbox.see')
  app.get('/dev/mailbox/style.css', (_request, reply) => reply.type('text/css').send(css))
  app.get<{ Querystring: { to?: string } }>('/dev/mailbox', async ({ query }, reply) => {
    const entries = await readMailbox(db, typeof query.to === 'string' ? query.to : '')
    const items = entries.map(
      ({ id, recipient, subject, at }) =>
        `<li><a href="/dev/mailbox/${id}"><strong>${escapeHtml(subject)}</strong><br><small>${escapeHtml(recipient)} · ${at.toISOString()}</small></a></li>`,
    )
    const body = items.length > 0 ? `<ul>${items.join('')}</ul>` : '<p>No mail yet. Place an order, and its confirmation arrives here.</p>'
    return reply
      .type('text/html')
      .header('content-security-policy', strict)
      .send(page('Mailbox', `<h1>Mailbox</h1>${body}`))
  })
  app.get<{ Params: { id: string; part: string } }>('/dev/mailbox/:id', async ({ params: { id } }, reply) => {
    const entry = isUuid(id) ? await readMailboxEntry(db, id) : undefined
    if (!entry) return reply.code(404).type('text/plain').send('There is no such mail')
    const body = `<p><a href="/dev/mailbox">Mailbox</a></p><h1>${escapeHtml(entry.subject)}</h1>
<p><small>${escapeHtml(entry.sender)} → ${escapeHtml(entry.recipient)} · ${entry.at.toISOString()}</small></p>
<iframe src="/dev/mailbox/${id}/html" title="The mail" sandbox="allow-top-navigation-by-user-activation allow-popups"></iframe>
<h2>As plain text</h2><pre>${escapeHtml(entry.text)}</pre>`
    return reply.type('text/html').header('content-security-policy', strict).send(page(entry.subject, body))
  })
  app.get<{ Params: { id: string } }>('/dev/mailbox/:id/html', async ({ params: { id } }, reply) => {
    const entry = isUuid(id) ? await readMailboxEntry(db, id) : undefined
    if (!entry) return reply.code(404).type('text/plain').send('There is no such mail')
    const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self' http: https:; frame-ancestors 'self'; base-uri 'none'; sandbox allow-top-navigation-by-user-activation allow-popups`
    return reply
      .type('text/html')
      .header('content-security-policy', policy)
      .send(entry.html.replace('<head>', '<head><base target="_top">'))
  })
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
