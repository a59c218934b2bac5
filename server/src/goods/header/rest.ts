import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { shellTags } from '#flags'
import { purgePages } from '#platform'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { itemId, itemInput } from './item.ts'
import { forgetHeader, headerTag } from './show-header.ts'
import { readItems, removeItem, writeItem } from './store.ts'

/** What operators put into the header: list, write, remove. */
export function routes(app: FastifyInstance, { asCommand, db }: Services): void {
  void app.register(async (inner) => {
    setRoutesAction(inner, 'header.change')
    const base = '/api/v1/operator/header'
    inner.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    inner.get(base, async () => ({ items: await readItems(db) }))
    inner.put<{ Params: { id: string } }>(`${base}/:id`, async ({ params, body }, reply) => {
      const input = v.safeParse(itemInput, body)
      if (!v.is(itemId, params.id)) return reply.code(404).send({ error: 'There is no such item' })
      if (!input.success) return reply.code(400).send({ error: said(input.issues) })
      await asCommand(async (scope) => {
        const before = (await readItems(scope.db)).find(({ id }) => id === params.id)
        await writeItem(scope.db, params.id, input.output)
        await purgePages(scope.db, [headerTag, ...new Set([...shellTags(input.output), ...(before ? shellTags(before) : [])])])
      })
      forgetHeader()
      return reply.code(204).send()
    })
    inner.delete<{ Params: { id: string } }>(`${base}/:id`, async ({ params }, reply) => {
      const removed = await asCommand(async (scope) => {
        const before = (await readItems(scope.db)).find(({ id }) => id === params.id)
        const count = await removeItem(scope.db, params.id)
        if (before) await purgePages(scope.db, [headerTag, ...shellTags(before)])
        return count
      })
      forgetHeader()
      return removed ? reply.code(204).send() : reply.code(404).send({ error: 'There is no such item' })
    })
  })
}

function said(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map((issue) => `${v.getDotPath(issue) ?? 'value'}: ${issue.message}`).join('; ')
}
