import * as v from 'valibot'

/**
 * Structured data by type, with the properties that Google's rich results require of each.
 * (https://developers.google.com/search/docs/appearance/structured-data)
 */
const text = v.pipe(v.string(), v.trim(), v.nonEmpty('is empty'))
const url = v.pipe(v.string(), v.url('is no absolute URL'))
const day = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/, 'is no ISO date'))
const count = v.pipe(v.number(), v.integer(), v.minValue(1))
const typed = <const Type extends string, Entries extends v.ObjectEntries>(type: Type, entries: Entries) =>
  v.looseObject({ '@type': v.literal(type), ...entries })

const inRange = <Rating extends { ratingValue: number; bestRating?: number | undefined; worstRating?: number | undefined }>() =>
  v.check<Rating, string>(
    ({ ratingValue, bestRating = 5, worstRating = 1 }) => ratingValue >= worstRating && ratingValue <= bestRating,
    'is out of its range',
  )
const range = { ratingValue: v.number(), bestRating: v.optional(v.number()), worstRating: v.optional(v.number()) }
const rating = v.pipe(typed('Rating', range), inRange())
const person = v.looseObject({ '@type': v.picklist(['Person', 'Organization']), name: text })

const organization = typed('Organization', { name: text, url: v.optional(url), logo: v.optional(url) })
const review = typed('Review', { author: person, reviewRating: rating, datePublished: v.optional(day), reviewBody: v.optional(text) })
const aggregateRating = v.pipe(
  typed('AggregateRating', { ...range, reviewCount: v.optional(count), ratingCount: v.optional(count) }),
  inRange(),
  v.check(({ reviewCount, ratingCount }) => (reviewCount ?? ratingCount) !== undefined, 'counts nothing'),
)
const currency = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'is no currency'))
const term = (...names: string[]) => v.picklist(names.map((name) => `https://schema.org/${name}`))
const offer = typed('Offer', {
  url: v.optional(url),
  price: v.pipe(v.number(), v.minValue(0.01)),
  priceCurrency: currency,
  availability: term('InStock', 'OutOfStock', 'BackOrder', 'PreOrder', 'LimitedAvailability', 'Discontinued'),
  itemCondition: term('NewCondition', 'RefurbishedCondition', 'UsedCondition', 'DamagedCondition'),
  seller: v.optional(organization),
})
const aggregateOffer = v.pipe(
  typed('AggregateOffer', {
    lowPrice: v.pipe(v.number(), v.minValue(0.01)),
    highPrice: v.optional(v.number()),
    priceCurrency: currency,
    offerCount: count,
    offers: v.optional(v.array(offer)),
  }),
  v.check(({ lowPrice, highPrice = lowPrice }) => highPrice >= lowPrice, 'has a high price below its low price'),
)
const product = v.pipe(
  typed('Product', {
    name: text,
    description: v.optional(text),
    image: v.optional(v.union([url, v.pipe(v.array(url), v.minLength(1))])),
    gtin13: v.optional(
      v.pipe(v.string(), v.regex(/^\d{13}$/, 'has not thirteen digits'), v.check(hasCheckDigit, 'has a wrong check digit')),
    ),
    brand: v.optional(typed('Brand', { name: text })),
    offers: v.optional(v.union([offer, aggregateOffer, v.pipe(v.array(offer), v.minLength(1))])),
    review: v.optional(v.union([review, v.array(review)])),
    aggregateRating: v.optional(aggregateRating),
  }),
  v.check(
    (of) => [of.offers, of.review, of.aggregateRating].some((part) => part !== undefined),
    'has neither offers nor reviews nor rating',
  ),
)
const positioned = <Item extends { position: number }>() =>
  v.check<Item[], string>((items) => items.every(({ position }, index) => position === index + 1), 'is not numbered from one')
const breadcrumbs = typed('BreadcrumbList', {
  itemListElement: v.pipe(
    v.array(typed('ListItem', { position: v.number(), name: text, item: v.optional(url) })),
    v.minLength(2),
    v.check((items) => items.slice(0, -1).every(({ item }) => item !== undefined), 'has a step without an address'),
    positioned(),
  ),
})
const itemList = typed('ItemList', {
  itemListElement: v.pipe(
    v.array(
      v.pipe(
        typed('ListItem', { position: v.number(), url: v.optional(url), item: v.optional(v.unknown()) }),
        v.check((item) => item.url !== undefined || item.item !== undefined, 'leads nowhere'),
      ),
    ),
    v.minLength(1),
    positioned(),
  ),
})
const answer = typed('Answer', { text })
const faq = typed('FAQPage', {
  mainEntity: v.pipe(v.array(typed('Question', { name: text, acceptedAnswer: answer })), v.minLength(1)),
})
const article = typed('Article', {
  headline: v.pipe(text, v.maxLength(110)),
  image: v.optional(v.union([url, v.array(url)])),
  datePublished: v.optional(day),
  dateModified: v.optional(day),
  author: v.optional(person),
})
const howTo = typed('HowTo', {
  name: text,
  step: v.pipe(
    v.array(
      v.pipe(
        typed('HowToStep', {}),
        v.check((step) => 'text' in step || 'itemListElement' in step, 'has no text'),
      ),
    ),
    v.minLength(1),
  ),
})

const schemas = {
  Product: product,
  BreadcrumbList: breadcrumbs,
  ItemList: itemList,
  FAQPage: faq,
  Article: article,
  HowTo: howTo,
  Organization: v.intersect([organization, v.looseObject({ url })]),
  WebSite: typed('WebSite', { name: text, url }),
} satisfies Record<string, v.GenericSchema>

const isKnown = (type: unknown): type is keyof typeof schemas => typeof type === 'string' && Object.hasOwn(schemas, type)

function hasCheckDigit(gtin: string): boolean {
  const sum = [...gtin].reverse().reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0)
  return sum % 10 === 0
}

/** Mistakes a validator would find in a page's structured data; an unknown type is one, because nothing would check it. */
export function structuredDataProblems(source: string): string[] {
  let data: unknown
  try {
    data = JSON.parse(source)
  } catch {
    return ['is no JSON']
  }
  if (typeof data !== 'object' || data === null || !('@type' in data)) return ['has no type']
  const problems = '@context' in data && data['@context'] === 'https://schema.org' ? [] : ['has no context']
  const type = data['@type']
  if (!isKnown(type)) return [...problems, `has the type ${String(type)}, for which there is no schema`]
  const { issues = [] } = v.safeParse(schemas[type], data)
  return [...problems, ...issues.map((issue) => `${type}.${v.getDotPath(issue) ?? ''}: ${issue.message}`)]
}
