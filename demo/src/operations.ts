import { demoMarkets, type Language, type Market } from './languages.ts'
import type { CouponAudience } from '@purlin/contract/coupon-audience.ts'
import { markets } from '@purlin/contract/markets.ts'

export const dayMs = 86_400_000

/** Midnight UTC of the day: all dates in the demo shop depend on it, not on the second of the seed. */
export function dayOf(now: Date): number {
  return Math.floor(now.getTime() / dayMs) * dayMs
}

export interface DemoOperation {
  id: number
  type: 'blackfriday' | 'sales' | 'productdays' | 'promo'
  market: Market
  slug: string
  name: string
  startsAt: Date
  endsAt: Date
  /** Participating departments; null: all. */
  departments: string[] | null
}

type Words = Record<Language, string>
const themes: { slug: string; departments: string[]; names: Words }[] = [
  {
    slug: 'tool-days',
    departments: ['tools', 'fixings', 'workwear'],
    names: { en: 'Tool days', fr: "Jours de l'outillage", de: 'Werkzeugtage', es: 'Días de la herramienta', it: 'Giornate degli utensili' },
  },
  {
    slug: 'paint-days',
    departments: ['paint', 'flooring', 'decor'],
    names: { en: 'Paint days', fr: 'Jours de la peinture', de: 'Farbentage', es: 'Días de la pintura', it: 'Giornate della pittura' },
  },
  {
    slug: 'garden-days',
    departments: ['garden', 'pool'],
    names: { en: 'Garden days', fr: 'Jours du jardin', de: 'Gartentage', es: 'Días del jardín', it: 'Giornate del giardino' },
  },
]
const names: Record<'blackfriday' | 'winter' | 'summer' | 'promo', Words> = {
  blackfriday: { en: 'Black Friday', fr: 'Black Friday', de: 'Black Friday', es: 'Black Friday', it: 'Black Friday' },
  winter: { en: 'Winter sale', fr: "Soldes d'hiver", de: 'Winter-Sale', es: 'Rebajas de invierno', it: 'Saldi invernali' },
  summer: { en: 'Summer sale', fr: "Soldes d'été", de: 'Sommer-Sale', es: 'Rebajas de verano', it: 'Saldi estivi' },
  promo: {
    en: 'Deals of the week',
    fr: 'Offres de la semaine',
    de: 'Angebote der Woche',
    es: 'Ofertas de la semana',
    it: 'Offerte della settimana',
  },
}

/** The annual period that is running or comes next on the day. Months from 0. */
function nextSpan(day: number, from: [number, number], to: [number, number]): [Date, Date] {
  for (let year = new Date(day).getUTCFullYear(); ; year += 1) {
    const ends = Date.UTC(year, to[0], to[1], 22, 59, 59)
    if (ends > day) return [new Date(Date.UTC(year, from[0], from[1])), new Date(ends)]
  }
}

/** The annual period that ended last. */
function lastSpan(day: number, from: [number, number], to: [number, number]): [Date, Date] {
  for (let year = new Date(day).getUTCFullYear(); ; year -= 1) {
    const ends = Date.UTC(year, to[0], to[1], 22, 59, 59)
    if (ends <= day) return [new Date(Date.UTC(year, from[0], from[1])), new Date(ends)]
  }
}

/** Running, upcoming and ended operations of every market on the day of the seed. Ids are stable: market and kind. */
export function operationsOf(now: Date): DemoOperation[] {
  const day = dayOf(now)
  const from = (offset: number) => new Date(day + offset * dayMs)
  const until = (offset: number) => new Date(day + offset * dayMs + 79_199_000)
  return demoMarkets.flatMap((market, marketIndex) => {
    const { language } = markets[market]
    const made = (
      kind: number,
      type: DemoOperation['type'],
      slug: string,
      words: Words,
      span: [Date, Date],
      departments: string[] | null,
    ) => ({
      id: 101 + marketIndex * 20 + kind,
      type,
      market,
      slug,
      name: words[language],
      startsAt: span[0],
      endsAt: span[1],
      departments,
    })
    const [tools, paint, garden] = themes as [(typeof themes)[0], (typeof themes)[0], (typeof themes)[0]]
    return [
      made(0, 'blackfriday', 'black-friday', names.blackfriday, nextSpan(day, [10, 16], [10, 30]), null),
      made(1, 'sales', 'winter-sale', names.winter, nextSpan(day, [0, 7], [1, 3]), null),
      made(2, 'sales', 'summer-sale', names.summer, lastSpan(day, [5, 24], [6, 21]), null),
      made(3, 'productdays', tools.slug, tools.names, [from(-5), until(4)], tools.departments),
      made(4, 'productdays', paint.slug, paint.names, [from(-40), until(-26)], paint.departments),
      made(5, 'productdays', garden.slug, garden.names, [from(9), until(19)], garden.departments),
      made(6, 'promo', 'deals-of-the-week', names.promo, [from(-3), until(3)], null),
    ]
  })
}

export interface DemoCoupon {
  code: string
  market: Market
  kind: 'percent' | 'amount' | 'free-delivery'
  /** Whole percent, or minor units with VAT. */
  value: number
  minAmount: number
  sellerId: number | null
  categoryId: number | null
  startsOn: string
  endsOn: string
  totalLimit: number | null
  perCustomerLimit: number
  /** The customers for whom alone it is. */
  audience: CouponAudience | null
  /** Shown in their account to every customer who may use it. */
  isListed: boolean
}

const couponWords: Record<Market, { tools: string; garden: string; welcome: string; delivery: string; thanks: string }> = {
  gb: { tools: 'TOOLS10', garden: 'GARDEN15', welcome: 'WELCOME5', delivery: 'FREEDELIVERY', thanks: 'THANKYOU12' },
  fr: { tools: 'OUTILS10', garden: 'JARDIN15', welcome: 'BIENVENUE5', delivery: 'PORTOFFERT', thanks: 'MERCI12' },
  de: { tools: 'WERKZEUG10', garden: 'GARTEN15', welcome: 'WILLKOMMEN5', delivery: 'VERSANDFREI', thanks: 'DANKE12' },
  es: { tools: 'HERRAMIENTAS10', garden: 'JARDIN15ES', welcome: 'BIENVENIDO5', delivery: 'ENVIOGRATIS', thanks: 'GRACIAS12' },
  it: { tools: 'UTENSILI10', garden: 'GIARDINO15', welcome: 'BENVENUTO5', delivery: 'SPEDIZIONEGRATIS', thanks: 'GRAZIE12' },
}

/** Department to the code shown on its products. */
export function couponCodeOf(market: Market, department: string): string | null {
  if (department === 'tools') return couponWords[market].tools
  return department === 'garden' ? couponWords[market].garden : null
}

/** The offer to customers of high value (`welcome-offer-hvc`). */
export function thanksOf(market: Market): { code: string; percent: number } {
  return { code: couponWords[market].thanks, percent: 12 }
}

/** Coupons of the demo shop on the day: by category, for everyone, free delivery, for customers of high value, nearly used up, ended and upcoming. */
export function couponsOf(now: Date): DemoCoupon[] {
  const day = dayOf(now)
  const on = (offset: number) => new Date(day + offset * dayMs).toISOString().slice(0, 10)
  return demoMarkets.flatMap((market) => {
    const words = couponWords[market]
    const always = {
      market,
      sellerId: null,
      categoryId: null,
      startsOn: on(-30),
      endsOn: on(60),
      totalLimit: null,
      perCustomerLimit: 1,
      audience: null,
      isListed: true,
    }
    const thanks = thanksOf(market)
    const forHighValue = { audience: 'high-value' as const, isListed: false }
    const capital = market.toUpperCase()
    return [
      { ...always, code: words.tools, kind: 'percent' as const, value: 10, minAmount: 0, categoryId: 1000, perCustomerLimit: 3 },
      { ...always, code: words.garden, kind: 'percent' as const, value: 15, minAmount: 5000, categoryId: 2000 },
      { ...always, code: words.welcome, kind: 'amount' as const, value: 500, minAmount: 3000 },
      { ...always, code: words.delivery, kind: 'free-delivery' as const, value: 0, minAmount: 2000 },
      { ...always, ...forHighValue, code: thanks.code, kind: 'percent' as const, value: thanks.percent, minAmount: 0 },
      { ...always, code: `LAST10${capital}`, kind: 'percent' as const, value: 20, minAmount: 0, totalLimit: 10 },
      { ...always, code: `AUTUMN${capital}`, kind: 'percent' as const, value: 10, minAmount: 0, startsOn: on(-60), endsOn: on(-10) },
      { ...always, code: `NEXTYEAR${capital}`, kind: 'percent' as const, value: 10, minAmount: 0, startsOn: on(30), endsOn: on(60) },
    ]
  })
}
