import type { FastifyInstance, FastifyReply } from 'fastify'
import { fileHeaders } from '#files'
import { StatusError } from '#platform'
import type { Services } from '../../edges/gateway/services.ts'
import { openInvoiceFile } from './open-invoice-file.ts'
import { findInvoice } from './find-invoices.ts'

const nothing = () => new StatusError(404, 'NOT_FOUND', 'There is no such invoice')

/** Downloads: one file of an invoice, in the form it was archived in. */
export function routes(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { id: string; form: string } }>(
    '/api/v1/invoices/:id/:form',
    { config: { action: 'invoice.see' } },
    async (request, reply): Promise<FastifyReply> => {
      const { id, form } = request.params
      const scope = await services.scopeOf(request)?.personal()
      const invoice = scope && (form === 'pdf' || form === 'ubl') ? await findInvoice(scope, id) : undefined
      if (!invoice || (form !== 'pdf' && form !== 'ubl')) throw nothing()
      const opened = await openInvoiceFile(services.db, invoice, form)
      if (!opened) throw nothing()
      const { type, name, bytes } = opened.file
      return reply
        .headers(fileHeaders({ type, name, isPublic: false }))
        .header('content-length', bytes)
        .send(opened.stream)
    },
  )
}
