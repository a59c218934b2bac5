import multipart from '@fastify/multipart'
import { quantityColumns } from '@purlin/contract/order-columns.ts'
import type { FastifyInstance } from 'fastify'
import { ownerOf } from '#accounts'
import { requireQuota, StatusError } from '#platform'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { spendingCsv } from './spending-csv.ts'
import { readSheet, sheetLimits } from './read-sheet.ts'
import { putKeptRows } from './row-store.ts'
import { spendingGroups } from './spending-store.ts'

const page = '/quick-order'

/** The column of quantities that the form names by its letter, before the file; null for none. */
function columnIn(field: unknown): number | null {
  const { value } = (field ?? {}) as { value?: unknown }
  const at = typeof value === 'string' && value.length === 1 ? quantityColumns.indexOf(value) : -1
  return at === -1 ? null : at
}

/**
 * `POST /api/v1/quick-order/sheet`: the form of the quick order that sends a CSV or Excel file. Its rows are kept for the sender and
 * shown by the page, to which the browser returns with or without scripts; nothing of the file itself is kept.
 */
export async function routes(app: FastifyInstance, services: Services): Promise<void> {
  const inSlices = services.openSlices()
  await app.register(multipart, {
    limits: { files: 1, fields: 1, parts: 2, fieldSize: 10, headerPairs: 20, fileSize: sheetLimits.bytes + 1 },
  })

  app.post(
    '/api/v1/quick-order/sheet',
    { config: { action: 'quick-order.use', takesFiles: true }, bodyLimit: sheetLimits.bytes + 10_000 },
    async (request, reply) => {
      const scope = services.scopeOf(request)
      if (!scope) throw new StatusError(404, 'NOT_FOUND', 'No site is known for this host')
      if (!isOwnOrigin(request, scope.site)) throw new StatusError(403, 'FORBIDDEN', 'This request does not come from our own pages')
      await requireQuota('sheet', { address: request.ip })
      const part = request.isMultipart() ? await request.file({ throwFileSizeLimit: false }) : undefined
      if (!part) throw new StatusError(415, 'BAD_REQUEST', 'Send one file as multipart/form-data')
      const bytes = await part.toBuffer()
      const read = await inSlices(request, ({ inTurn }) => readSheet(bytes, inTurn, columnIn(part.fields['column'])))
      if (read.ok) {
        await services.command(scope, async (command) => {
          const owner = ownerOf(command)
          if (owner === null) throw new Error('A command has a session')
          await putKeptRows(command.db, owner, read.rows)
        })
      }
      for (const line of scope.setCookies) reply.header('set-cookie', line)
      const outcome = read.ok ? (read.isCut ? 'cut' : 'read') : read.reason
      const quantities = read.ok && read.isOneEach ? '&quantities=none' : ''
      return reply.header('cache-control', 'no-store').redirect(`${page}?sheet=${outcome}${quantities}`, 303)
    },
  )

  app.get<{ Querystring: { by?: string; year?: string } }>(
    '/api/v1/company/spending.csv',
    { config: { action: 'spending.see' } },
    async (request, reply) => {
      const scope = services.scopeOf(request)
      if (!scope) throw new StatusError(404, 'NOT_FOUND', 'No site is known for this host')
      const by = spendingGroups.find((each) => each === request.query.by)
      if (!by) throw new StatusError(400, 'BAD_REQUEST', `by is one of ${spendingGroups.join(', ')}`)
      const { year } = request.query
      if (year !== undefined && !/^2\d{3}$/.test(year)) throw new StatusError(400, 'BAD_REQUEST', 'year is a year of four digits')
      const csv = await spendingCsv(await scope.personal(), by, year === undefined ? null : Number(year))
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="spending-${by}${year === undefined ? '' : `-${year}`}.csv"`)
        .header('cache-control', 'no-store')
        .send(csv)
    },
  )
}
