import type { FastifyInstance, FastifyReply } from 'fastify'
import { fileHeaders, sendFile } from '#files'
import * as v from 'valibot'
import { StatusError } from '#platform'
import { localDay } from '#pricing'
import type { Services } from '../../edges/gateway/services.ts'
import { csvOf, zipOf } from './export-invoices.ts'
import { whichInvoices } from './list-invoices.ts'
import { openInvoiceFile } from './open-invoice-file.ts'
import { findInvoice, findSellerInvoice } from './find-invoices.ts'
import { findStatement, statementPdf } from './show-statements.ts'
import type { Invoice } from './store.ts'

const nothing = () => new StatusError(404, 'NOT_FOUND', 'There is no such invoice')

const query = v.object({
  filter: v.optional(v.string()),
  search: v.optional(v.string()),
  year: v.optional(v.pipe(v.string(), v.digits(), v.toNumber())),
})

/** Downloads: one file of an invoice, as it was archived; all that a list shows, as an archive of PDFs or as a table. */
export function routes(app: FastifyInstance, services: Services): void {
  const send = async (reply: FastifyReply, invoice: Invoice | undefined, form: string): Promise<FastifyReply> => {
    if (!invoice || (form !== 'pdf' && form !== 'ubl')) throw nothing()
    const opened = await openInvoiceFile(services.db, invoice, form)
    if (!opened) throw nothing()
    return sendFile(reply, opened)
  }
  app.get<{ Params: { id: string; form: string } }>(
    '/api/v1/invoices/:id/:form',
    { config: { action: 'invoice.see' } },
    async (request, reply): Promise<FastifyReply> => {
      const { id, form } = request.params
      const scope = await services.scopeOf(request)?.personal()
      return send(reply, scope && (await findInvoice(scope, id)), form)
    },
  )

  app.get<{ Params: { id: string } }>(
    '/api/v1/statements/:id/pdf',
    { config: { action: 'statement.see' } },
    async (request, reply): Promise<FastifyReply> => {
      const scope = await services.scopeOf(request)?.personal()
      const statement = scope && (await findStatement(scope, request.params.id))
      if (!scope || !statement) throw nothing()
      const headers = fileHeaders({ type: 'application/pdf', name: `${statement.number}.pdf`, isPublic: false })
      return reply.headers(headers).send(await statementPdf(scope, statement))
    },
  )

  app.get<{ Params: { market: string; id: string; form: string } }>(
    '/api/v1/office/invoices/:market/:id/:form',
    { config: { action: 'sellerInvoice.see' } },
    async (request, reply): Promise<FastifyReply> => {
      const { market, id, form } = request.params
      const scope = await services.scopeOf(request)?.personal('sellerInvoice.see')
      return send(reply, scope && (await findSellerInvoice(scope, market, id)), form)
    },
  )

  app.get<{ Params: { form: string } }>(
    '/api/v1/my-invoices/:form',
    { config: { action: 'invoices.list' } },
    async (request, reply): Promise<FastifyReply> => {
      const { form } = request.params
      const asked = v.safeParse(query, request.query)
      const scope = await services.scopeOf(request)?.personal()
      const which = scope && asked.success ? whichInvoices(scope, asked.output) : null
      if (!which || (form !== 'zip' && form !== 'csv')) throw nothing()
      const type = form === 'zip' ? 'application/zip' : 'text/csv'
      const name = `purlin-${localDay(which.market, scope?.now ?? new Date())}.${form}`
      return reply
        .headers(fileHeaders({ type, name, isPublic: false }))
        .send(form === 'zip' ? zipOf(services.db, which) : csvOf(services.db, which))
    },
  )
}
