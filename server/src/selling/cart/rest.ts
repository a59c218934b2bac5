import { isMarket, type Market } from '@purlin/contract/markets.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { operatorOf, setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { couponInput, couponState, endCoupon, isCouponCode, makeCoupon } from './operator-coupons.ts'
import { listCoupons, readCouponForAll, type CouponForAll } from './operator-coupon-store.ts'

const pageSize = 100
const query = v.object({ after: v.optional(v.pipe(v.string(), v.maxLength(40)), '') })
const statusOf = { 'code-taken': 409, 'coupon-over': 400, 'unknown-seller': 400, 'unknown-category': 400 } as const

interface At {
  Params: { market: string; code: string }
}
type Handle = (which: { market: Market; code: string }, request: FastifyRequest<At>, reply: FastifyReply) => Promise<unknown>

const at = (handle: Handle) => async (request: FastifyRequest<At>, reply: FastifyReply) => {
  reply.header('cache-control', 'no-store')
  const { market, code } = request.params
  if (!isMarket(market)) return reply.code(404).send({ error: 'No such market' })
  return handle({ market, code }, request, reply)
}

const shown = (coupon: CouponForAll) => ({ ...coupon, state: couponState(coupon, new Date()) })

/**
 * Coupons for everybody: `GET /api/v1/operator/coupons/{market}` lists them by code, `PUT …/{code}` makes one,
 * `GET …/{code}` returns it with those who made and ended it, `POST …/{code}/end` ends it.
 */
export function routes(app: FastifyInstance, { db, asCommand }: Services): void {
  const unknown = { error: 'unknown-coupon' }
  void app.register(async (inner) => {
    setRoutesAction(inner, 'coupon.change')
    inner.get<At>(
      '/api/v1/operator/coupons/:market',
      at(async ({ market }, request, reply) => {
        const asked = v.safeParse(query, request.query)
        if (!asked.success) return reply.code(400).send({ error: 'after: the last code of the page before' })
        const found = await listCoupons(db, market, { after: asked.output.after, limit: pageSize + 1 })
        const coupons = found.slice(0, pageSize)
        return { coupons: coupons.map(shown), next: found.length > pageSize ? (coupons.at(-1)?.code ?? null) : null }
      }),
    )
    const url = '/api/v1/operator/coupons/:market/:code'
    inner.get<At>(
      url,
      at(async ({ market, code }, _request, reply) => {
        const coupon = await readCouponForAll(db, code)
        return coupon?.market === market ? shown(coupon) : reply.code(404).send(unknown)
      }),
    )
    inner.put<At>(
      url,
      at(async (which, request, reply) => {
        if (!isCouponCode(which.code)) return reply.code(400).send({ error: 'code: 3 to 30 of A to Z, 0 to 9 and -' })
        const input = v.safeParse(couponInput, request.body)
        if (!input.success) return reply.code(400).send({ error: said(input.issues) })
        const result = await asCommand((scope) => makeCoupon(scope, { ...which, by: operatorOf(request) }, input.output))
        if (!result.ok) return reply.code(statusOf[result.reason]).send({ error: result.reason })
        return reply.code(result.made ? 201 : 200).send(shown(result.coupon))
      }),
    )
    inner.post<At>(
      `${url}/end`,
      at(async (which, request, reply) => {
        const found = await asCommand((scope) => endCoupon(scope, { ...which, by: operatorOf(request) }))
        return found ? reply.code(204).send() : reply.code(404).send(unknown)
      }),
    )
  })
}

function said(issues: readonly v.BaseIssue<unknown>[]): string {
  // Checks of the whole coupon name their field themselves.
  return issues.map((issue) => (issue.path ? `${v.getDotPath(issue)}: ${issue.message}` : issue.message)).join('; ')
}
