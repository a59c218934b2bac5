import { languages, markets, type Language } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { countryName, knownSellers } from '#sellers'
import type { SiteScope } from '#platform'
import { readDistribution, readQuestions, readReviews, type Distribution, type ReviewSort } from './list-store.ts'
import { aspectsOf, type ReviewRow, type Subject } from './review.ts'

const pageSize = 10
const maxPageSize = 20
/** Pages use an offset, so page numbers no reader reaches are not looked up. */
const lastPage = 200

export interface ReviewsAsked {
  stars?: number | null
  language?: string | null
  sort?: ReviewSort | null
  page?: number | null
  first?: number | null
}

type Viewed = Pick<SiteScope, 'db' | 'market'>

/** Published reviews of a product or seller, with the distribution of all of them. */
export async function showReviews(scope: Viewed, subject: Subject, subjectId: string, asked: ReviewsAsked = {}) {
  const { db, market } = scope
  const own = markets[market].language
  const size = Math.min(Math.max(0, asked.first ?? pageSize), maxPageSize)
  const page = Math.min(Math.max(1, asked.page ?? 1), lastPage)
  const stars = asked.stars && asked.stars >= 1 && asked.stars <= 5 ? asked.stars : null
  const language = languages.find((each) => each === asked.language) ?? null
  const filter = { subject, subjectId, stars, language, sort: asked.sort ?? 'helpful', own, first: size, offset: (page - 1) * size }
  const [groups, rows] = await Promise.all([
    readDistribution(db, subject, subjectId),
    size > 0 ? readReviews(db, filter) : Promise.resolve<ReviewRow[]>([]),
  ])
  const passing = groups.filter((group) => (stars === null || group.stars === stars) && (language === null || group.language === language))
  const total = sumOf(passing)
  const sellers = await knownSellers(scope, new Set(rows.map(({ sellerId }) => sellerId)))
  return {
    ...summaryOf(groups, scope, subject),
    reviews: rows.map((row) => shown(row, scope, subject, sellers.get(row.sellerId)?.name ?? '')),
    total,
    page,
    pages: size === 0 ? 0 : Math.min(lastPage, Math.ceil(total / size)),
  }
}

const sumOf = (groups: readonly Distribution[]) => groups.reduce((sum, { count }) => sum + count, 0)

/** One decimal, as the card has it. */
export function averageOf(groups: readonly Pick<Distribution, 'stars' | 'count'>[]): { rating: number | null; count: number } {
  const count = groups.reduce((sum, group) => sum + group.count, 0)
  const points = groups.reduce((sum, group) => sum + group.stars * group.count, 0)
  return { rating: count === 0 ? null : Math.round((points / count) * 10) / 10, count }
}

function summaryOf(groups: readonly Distribution[], { market }: Viewed, subject: Subject) {
  const t = wordsFor(market)
  const own = markets[market].language
  const byLanguage = languages
    .map((language) => ({
      language,
      label: t(`review.language.${language}`),
      count: sumOf(groups.filter((group) => group.language === language)),
    }))
    .filter(({ count }) => count > 0)
  const aspects = aspectsOf[subject].flatMap((aspect, index) => {
    const given = groups.reduce((sum, { aspectCounts }) => sum + (aspectCounts[index] ?? 0), 0)
    const points = groups.reduce((sum, group) => sum + (group.aspects[index] ?? 0), 0)
    return given === 0 ? [] : [{ aspect, label: t(`review.aspect.${aspect}`), rating: Math.round((points / given) * 10) / 10 }]
  })
  return {
    ...averageOf(groups),
    stars: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: sumOf(groups.filter((group) => group.stars === stars)) })),
    languages: byLanguage.toSorted((a, b) => Number(b.language === own) - Number(a.language === own) || b.count - a.count),
    aspects,
  }
}

function shown(row: ReviewRow, { market }: Viewed, subject: Subject, sellerName: string) {
  const t = wordsFor(market)
  return {
    ...row,
    country: countryName(markets[market].locale, markets[row.market].country),
    writtenOn: dayOf(row.writtenAt),
    sellerName,
    aspects: aspectsOf[subject].flatMap((aspect, index) => {
      const rating = row.aspects[index]
      return rating ? [{ aspect, label: t(`review.aspect.${aspect}`), rating }] : []
    }),
    photos: row.photos.map((_, index) => ({
      url: `/pictures/r/${row.id}/${index + 1}`,
      alt: t('review.photo', { author: row.author, number: index + 1 }),
    })),
  }
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

const questionsShown = 10

/** Published questions about a product with their answers. */
export async function showQuestions({ db, market }: Viewed, productId: string, asked: { page?: number | null; first?: number | null }) {
  const own: Language = markets[market].language
  const size = Math.min(Math.max(1, asked.first ?? questionsShown), maxPageSize)
  const page = Math.min(Math.max(1, asked.page ?? 1), lastPage)
  const { rows, total } = await readQuestions(db, productId, { own, first: size, offset: (page - 1) * size })
  return {
    questions: rows.map(({ at, answers, ...row }) => ({
      ...row,
      askedOn: dayOf(at),
      answers: answers.map((answer) => ({ ...answer, answeredOn: answer.at.slice(0, 10) })),
    })),
    total,
    page,
    pages: Math.ceil(total / size),
  }
}
