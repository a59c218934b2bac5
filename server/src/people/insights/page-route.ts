import type { FastifyInstance } from 'fastify'
import { settings, type Db } from '#platform'
import { insightSections, insightsCss, insightsHtml } from './insights-page.ts'

/** `/dev/insights`: open on local hosts, where `/dev` is; on real domains for staff with the role for it. */
export function insightsRoutes(app: FastifyInstance, db: Db): void {
  const config = { action: settings().isPublic ? 'insights.see' : 'insights.preview' } as const
  const policy = `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  app.get('/dev/insights', { config }, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy)
      .send(insightsHtml(await insightSections(db.reports))),
  )
  app.get('/dev/insights/style.css', { config: { action: 'insights.preview' } }, (_request, reply) =>
    reply.type('text/css').send(insightsCss),
  )
}
