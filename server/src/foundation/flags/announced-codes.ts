import type { CouponAudience } from '@purlin/contract/coupon-audience.ts'
import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { ConfigKey, ConfigRow, ConfigValues } from './platform-config.ts'

/** A coupon for everybody, as far as an announcement of its code promises something. */
export interface AnnouncedCoupon {
  code: string
  market: Market
  /** Null unless it takes a percentage off. */
  percent: number | null
  isForFirstOrder: boolean
  /** Null for everybody. */
  audience: CouponAudience | null
  isForAllGoods: boolean
  state: 'coming' | 'running' | 'used-up' | 'over' | 'ended'
}

type ReadCoupons = (db: Db, codes: readonly string[]) => Promise<AnnouncedCoupon[]>

let connected: ReadCoupons | undefined

/** Set once per process, where all modules meet (edges/connect-modules.ts): coupons belong to the cart. */
export function connectCoupons(read: ReadCoupons): void {
  connected = read
}

const codeKeys = ['coupon', 'welcome-offer', 'welcome-offer-hvc'] as const satisfies readonly ConfigKey[]
type CodeKey = (typeof codeKeys)[number]
const isCodeKey = (key: string): key is CodeKey => codeKeys.some((each) => each === key)
type Offer = NonNullable<ConfigValues[CodeKey]>

export type CodeProblem =
  | 'coupon-missing'
  | 'coupon-other-market'
  | 'coupon-other-percent'
  | 'coupon-for-some-goods'
  | 'coupon-not-for-first-order'
  | 'coupon-not-for-high-value'
  | 'coupon-for-some-customers'
  | 'coupon-over'

/** What keeps a code from being announced. One that has yet to begin may be, and is not shown until then. */
export function codeProblem(
  { key, market }: { key: CodeKey; market: string },
  { percent }: Offer,
  coupon: AnnouncedCoupon | undefined,
): CodeProblem | null {
  if (!coupon) return 'coupon-missing'
  if (coupon.market !== market) return 'coupon-other-market'
  if (coupon.percent !== percent) return 'coupon-other-percent'
  if (!coupon.isForAllGoods) return 'coupon-for-some-goods'
  // A code that everybody reads is one that everybody may use; that of a personal offer is for its audience alone.
  if (key === 'welcome-offer-hvc' && coupon.audience !== 'high-value') return 'coupon-not-for-high-value'
  if (key !== 'welcome-offer-hvc' && coupon.audience !== null) return 'coupon-for-some-customers'
  // Customers of high value are promised their next order, all others their first one.
  if (key === 'welcome-offer' && !coupon.isForFirstOrder) return 'coupon-not-for-first-order'
  return coupon.state === 'coming' || coupon.state === 'running' ? null : 'coupon-over'
}

/** The reason to refuse a new value of the config: no coupon keeps what it would announce. */
export async function problemWithValue(db: Db, { key, market, value }: Pick<ConfigRow, 'key' | 'market' | 'value'>) {
  if (!isCodeKey(key) || value === null) return null
  const offer = value as Offer
  const [coupon] = (await connected?.(db, [offer.code])) ?? []
  const error = codeProblem({ key, market }, offer, coupon)
  return error && { error, code: offer.code, market, validIn: coupon?.market ?? null }
}

/** The coupons behind all codes of a config. */
export async function couponsOf(db: Db, rows: readonly ConfigRow[]): Promise<AnnouncedCoupon[]> {
  const codes = rows.flatMap(({ key, value }) =>
    isCodeKey(key) && typeof value === 'object' && value !== null && 'code' in value ? [String(value.code)] : [],
  )
  return codes.length > 0 && connected ? connected(db, [...new Set(codes)]) : []
}

/** The values without codes that no coupon running here stands behind. */
export function onlyRunning(values: ConfigValues, market: Market, coupons: readonly AnnouncedCoupon[]): ConfigValues {
  const shown = (key: CodeKey): Offer | null => {
    const offer = values[key]
    const coupon = coupons.find(({ code }) => code === offer?.code)
    return offer && coupon?.state === 'running' && codeProblem({ key, market }, offer, coupon) === null ? offer : null
  }
  return { ...values, coupon: shown('coupon'), 'welcome-offer': shown('welcome-offer'), 'welcome-offer-hvc': shown('welcome-offer-hvc') }
}
