import { facets, families, readData, valueText, type Attributes, type Family } from './grammar.ts'
import { demoMarkets, languages, type Market } from './languages.ts'
import type { DemoOffer } from './offers.ts'
import type { DemoProduct } from './product.ts'
import { mix, pick, randomOf, type Random } from './random.ts'
import type { Row } from './row.ts'
import { sellers, type DemoSeller } from './sellers.ts'
import { starsOf } from './stars.ts'

/** Reviews and questions of the demo shop, composed from what a product is, how it was used and what broke. */

/** One sentence in the five languages. */
type Five = readonly string[]
interface ReviewWords {
  /** Kind of use by family, else by department. */
  familyGroup: Record<string, string>
  groupOf: Record<string, string>
  use: Record<string, Five[]>
  fault: Record<string, Five[]>
  fact: Record<string, Five[]>
  extra: Five[]
  /** By stars, one star first. */
  verdict: Five[][]
  parcel: Five[]
  title: Five[][]
  pros: Five[]
  cons: Five[]
  seller: Five[][]
  answer: Five[]
  question: { q: Five; a: Five }[]
  /** First names by language. */
  names: string[][]
}
const words = readData<ReviewWords>('reviews.json')

/** Five of each market's language: the market decides who writes. */
const languageAt: Record<string, number> = { gb: 0, fr: 1, de: 2, es: 3, it: 4 }
const initials = 'ABCDEFGHJKLMNPRSTVW'
const dayMs = 86_400_000
/** More reviews than any product of the demo has. */
const idsPerSubject = 4_096

interface Written {
  at: number
  language: number
  random: Random
}

/** The reviews of a product, as many and as good as its rating says. */
export function reviewRows(of: DemoProduct, offers: readonly DemoOffer[], { seed, day }: { seed: number; day: number }): Row[] {
  if (of.ratingCount === 0) return []
  const random = randomOf(mix(mix(seed, 303), of.index))
  const sold = offers.filter(({ condition, isSample }) => condition === 'new' && !isSample)
  const ageDays = Math.max(30, (of.index * 7919) % 400)
  return of.stars.map((stars, number) => {
    const offer = sold[Math.floor(random() * sold.length)] ?? offers[0]
    const market = offer?.market ?? 'gb'
    const at = day - Math.floor(random() * ageDays * dayMs)
    const written = { at, language: languageAt[market] ?? 0, random }
    return {
      ...reviewRow('product', of.id, of.index * idsPerSubject + number, stars, market, offer?.sellerId ?? 1, written),
      body: productText(of, stars, written),
      pros: listOf(stars >= 3 ? words.pros : [], 0.4, written),
      cons: listOf(stars <= 4 ? words.cons : [], 0.3, written),
    }
  })
}

/** The reviews of a seller, on their service alone. */
export function sellerReviewRows(seller: DemoSeller, day: number): Row[] {
  const random = randomOf(mix(seller.id, 404))
  return starsOf(seller.ratingCount, seller.rating, random).map((stars, number) => {
    const market = pick(seller.markets, random())
    const written = { at: day - Math.floor(random() * 700 * dayMs), language: languageAt[market] ?? 0, random }
    const body = [said(words.seller[stars - 1] ?? [], written), ...(random() < 0.35 ? [said(words.parcel, written)] : [])].join(' ')
    // The second half of the numbers: those of products come first.
    const id = 0x800000000000 + seller.id * idsPerSubject + number
    return { ...reviewRow('seller', seller.id, id, stars, market, seller.id, written), body, pros: null, cons: null }
  })
}

function reviewRow(
  subject: 'product' | 'seller',
  subjectId: number,
  number: number,
  stars: number,
  market: string,
  sellerId: number,
  { at, language, random }: Written,
): Row {
  const isAnswered = stars <= 2 && random() < 0.45
  const near = () => Math.max(1, Math.min(5, stars + Math.floor(random() * 3) - 1))
  return {
    id: idOf(at, number),
    subject,
    subject_id: subjectId,
    seller_id: sellerId,
    market,
    language: languages[language] ?? 'en',
    author: authorOf(language, random),
    stars,
    aspects: random() < 0.7 ? [near(), near(), near()] : [],
    title: pick(words.title[stars - 1] ?? [], random())[language] ?? '',
    state: 'published',
    answer: isAnswered ? (pick(words.answer, random())[language] ?? '') : null,
    answered_at: isAnswered ? new Date(at + dayMs * (1 + random() * 3)) : null,
    helpful: Math.floor(random() ** 4 * 18),
    unhelpful: Math.floor(random() ** 8 * 6),
    purchased_on: new Date(at - dayMs * (6 + random() * 30)),
    written_at: new Date(at),
  }
}

/** A review of one product of a family, by somebody who has just received it: most are content. */
export function composeReview(
  { market, family: key, attributes }: { market: Market; family: string; attributes: Attributes },
  random: Random = Math.random,
): { stars: number; title: string; body: string; pros: string | null; cons: string | null } {
  const language = languageAt[market] ?? 0
  const written = { at: 0, language, random }
  const stars = pick([5, 5, 5, 4, 4, 4, 3, 2], random())
  return {
    stars,
    title: pick(words.title[stars - 1] ?? [], random())[language] ?? '',
    body: productText({ family: { key, dept: families.get(key)?.dept ?? '' }, attributes }, stars, written),
    pros: listOf(stars >= 3 ? words.pros : [], 0.4, written),
    cons: listOf(stars <= 4 ? words.cons : [], 0.3, written),
  }
}

/** How it was used, a fact that the writer noticed, what broke, and the verdict; short ones leave parts out. */
function productText(of: { family: Pick<Family, 'key' | 'dept'>; attributes: Attributes }, stars: number, written: Written): string {
  const { random, language } = written
  const group = words.familyGroup[of.family.key] ?? words.groupOf[of.family.dept] ?? 'home'
  // The coverage of a pack of flooring says nothing about a smooth surface.
  const known = Object.keys(of.attributes).filter((key) => words.fact[key] && (key !== 'yield_m2' || group === 'paint'))
  const key = known[Math.floor(random() * known.length)]
  const value = key === undefined ? undefined : of.attributes[key]
  const parts: string[] = []
  if (random() < 0.8) parts.push(said(words.use[group] ?? [], written))
  if (key !== undefined && value !== undefined && random() < 0.6)
    parts.push(capital(said(words.fact[key] ?? [], written).replace('{v}', valueText(key, value, languages[language] ?? 'en'))))
  if (stars <= 3 || random() < 0.15) parts.push(said(words.fault[group] ?? [], written))
  if (random() < 0.45) parts.push(said(words.extra, written))
  if (random() < 0.75) parts.push(said(words.verdict[stars - 1] ?? [], written))
  if (random() < 0.25) parts.push(said(words.parcel, written))
  if (parts.length === 0) parts.push(said(words.extra, written))
  return parts.join(random() < 0.15 ? '\n\n' : ' ')
}

function said(sentences: readonly Five[], { random, language }: Written): string {
  const text = pick(sentences, random())[language] ?? ''
  return text.includes('{n}') ? text.replaceAll('{n}', () => String(2 + Math.floor(random() * 8))) : text
}

function listOf(phrases: readonly Five[], chance: number, { random, language }: Written): string | null {
  if (phrases.length === 0 || random() > chance) return null
  const first = Math.floor(random() * phrases.length)
  const chosen = [phrases[first], random() < 0.5 ? phrases[(first + 2) % phrases.length] : undefined]
  return capital(chosen.flatMap((phrase) => phrase?.[language] ?? []).join(', '))
}

function authorOf(language: number, random: Random): string {
  return `${pick(words.names[language] ?? [], random())} ${initials[Math.floor(random() * initials.length)]}.`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A version 7 uuid. */
function idOf(at: number, number: number): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`
}

/** Up to one question per market, most of them answered by the seller or by a buyer. */
export function questionRows(of: DemoProduct, offers: readonly DemoOffer[], { seed, day }: { seed: number; day: number }): [Row[], Row[]] {
  const random = randomOf(mix(mix(seed, 505), of.index))
  const questions: Row[] = []
  const answers: Row[] = []
  const [key, value] = Object.entries(of.attributes)[0] ?? []
  for (const [number, market] of demoMarkets.entries()) {
    if (random() > Math.min(0.7, 0.1 + of.ratingCount / 40)) continue
    const language = languageAt[market] ?? 0
    const seller = offers.find((offer) => offer.market === market)
    const chosen = pick(words.question, random())
    const isOfAttribute = chosen.q[0]?.includes('{attribute}') === true
    if (!seller || (isOfAttribute && key === undefined)) continue
    const code = languages[language] ?? 'en'
    const filled = (text: string) =>
      text
        .replace('{kg}', new Intl.NumberFormat(code, { maximumFractionDigits: 1 }).format(of.weightG / 1000))
        .replaceAll('{attribute}', key === undefined ? '' : (facets.get(key)?.n[language] ?? key))
        .replaceAll('{v}', key === undefined || value === undefined ? '' : valueText(key, value, code))
    const at = day - Math.floor(random() * 200 * dayMs) - 5 * dayMs
    const id = idOf(at, of.index * 8 + number)
    questions.push({
      id,
      product_id: of.id,
      market,
      language: code,
      mode: 'b2c',
      author: authorOf(language, random),
      body: filled(chosen.q[language] ?? ''),
      state: 'published',
      at: new Date(at),
    })
    if (random() < 0.15) continue
    const isSeller = !isOfAttribute
    answers.push({
      id,
      question_id: id,
      kind: isSeller ? 'seller' : 'buyer',
      seller_id: isSeller ? seller.sellerId : null,
      author: isSeller ? (sellers[seller.sellerId - 1]?.name ?? '') : authorOf(language, random),
      body: filled(chosen.a[language] ?? ''),
      state: 'published',
      at: new Date(at + dayMs * (0.2 + random() * 3)),
    })
  }
  return [questions, answers]
}
