import { addressPattern } from '@purlin/contract/address-pattern.ts'
import type { Vital } from '@purlin/contract/web-vitals.ts'
import * as v from 'valibot'
import { isStorable } from './event.ts'

/** Bodies of the calls in spec §7, as their clients send them. */

const text = (longest: number) => v.pipe(v.string(), v.maxLength(longest), v.check(isStorable))
const finite = v.pipe(v.number(), v.finite())
const uuid = v.pipe(v.string(), v.uuid())
const id = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^\d{1,15}$/), v.transform(Number))

/** One of the slowest interactions of a page view. */
export const interaction = 'INTERACTION'
const metricNames = ['FCP', 'LCP', 'CLS', 'INP', 'TTFB', interaction] as const satisfies readonly (Vital | typeof interaction)[]
export const maxInteractions = 10

const metric = v.object({
  name: v.picklist(metricNames),
  value: v.pipe(finite, v.minValue(0), v.maxValue(3_600_000)),
  startTime: finite,
  tags: v.optional(
    v.pipe(
      v.record(text(40), v.union([text(200), finite, v.boolean()])),
      v.check((tags) => Object.keys(tags).length <= 10),
    ),
    {},
  ),
})

/** `POST /api/v1/web-vitals/beacon`. */
export const vitalsInput = v.object({
  browserContext: v.object({ url: text(2_000), userAgent: text(500) }),
  service: text(60),
  resource: v.pipe(text(60), v.regex(/^[\w.-]+$/)),
  version: text(60),
  metrics: v.pipe(
    v.array(metric),
    v.minLength(1),
    v.maxLength(20),
    v.check((all) => all.filter(({ name }) => name === interaction).length <= maxInteractions),
  ),
  startTime: finite,
  duration: finite,
})

/** `POST /api/v1/pro-event/event`. */
export const proEventsInput = v.pipe(
  v.array(
    v.object({
      market: v.string(),
      platform_id: v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^[\w.-]{1,20}$/)),
      channel: v.literal('website'),
      event: v.literal('pageview-product'),
      visitor_id: uuid,
      customer_id: uuid,
      content: v.object({ product_id: id, category_id: v.optional(v.nullable(id)) }),
    }),
  ),
  v.minLength(1),
  v.maxLength(20),
)

/** A page of this site by its pattern: its address may be personal, and may open something. */
const page = v.pipe(
  v.string(),
  v.maxLength(2_000),
  v.regex(/^\/(?!\/)/),
  v.check(isStorable),
  v.transform((address) => addressPattern(address) ?? '/'),
)

/** `GET /api/v1/client-page-change`. */
export const pageChangeInput = v.object({
  code: v.pipe(v.string(), v.regex(/^[1-5]\d\d$/), v.transform(Number)),
  method: v.pipe(v.string(), v.regex(/^[A-Za-z_-]{1,20}$/)),
  to: page,
  from: page,
})
