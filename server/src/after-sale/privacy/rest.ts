import type { FastifyInstance } from 'fastify'
import { isSignInFresh } from '#accounts'
import { openFile, sendFile } from '#files'
import { signInAgainPath } from '@purlin/contract/identity.ts'
import { StatusError } from '#platform'
import type { Services } from '../../edges/gateway/services.ts'
import { showExport } from './export-data.ts'
import { fates, readRegister } from './personal-data.ts'
import { providerRegister } from './provider-data.ts'
import { openRetained } from './retain.ts'

/** The principal's own file: it has no address of its own that could be shared, and a session left open does not download it. */
export function routes(app: FastifyInstance, services: Services): void {
  app.get('/api/v1/my-data', { config: { action: 'data.request' } }, async (request, reply) => {
    const scope = await services.scopeOf(request)?.personal()
    if (scope && !(await isSignInFresh(scope))) return reply.redirect(signInAgainPath('/settings#data'))
    const found = scope && (await showExport(scope))
    const opened = found?.fileKey ? await openFile(services.db, found.fileKey) : null
    if (!opened) throw new StatusError(404, 'NOT_FOUND', 'There is no file')
    return sendFile(reply, opened)
  })

  // For the tax office: the invoice details of an erased buyer, and the invoices with their files in base64.
  app.get<{ Params: { id: string } }>(
    '/api/v1/operator/retained/:id',
    { config: { action: 'retained.see' } },
    async ({ params: { id } }) => {
      const retained = await openRetained(services.db, id)
      if (!retained) throw new StatusError(404, 'NOT_FOUND', 'Nothing is retained for this order')
      return retained
    },
  )

  // For the data protection officer.
  app.get('/api/v1/operator/personal-data', { config: { action: 'retained.see' } }, async () => ({
    fates,
    tables: asObject(readRegister()),
    // Of the providers, those that run embedded.
    providers: asObject(readRegister(providerRegister)),
  }))
}

const asObject = (register: ReturnType<typeof readRegister>) =>
  Object.fromEntries([...register].map(([table, columns]) => [table, Object.fromEntries(columns)]))
