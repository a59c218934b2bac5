import { markets, type Market } from '@purlin/contract/markets.ts'
import type { IndexSettings } from '@purlin/search/types.ts'
import type { Reference } from '#catalogue'

/** Number of hits reachable by paging; further ones are reached by filters. */
export const reachableHits = 20_000

/** Search, filter, facet and sort settings of a market's product index. */
export function productSettings(market: Market, catalogue: Pick<Reference, 'attributes'>): IndexSettings {
  const facets = [...catalogue.attributes.values()].filter(({ facet }) => facet).map(({ key }) => `attr.${key}`)
  return {
    language: markets[market].language,
    searchableAttributes: ['title', 'thing', 'brandName', 'categoryNames', 'alternateTitle', 'attributesText', 'description'],
    attributeWeights: { title: 4, thing: 16, brandName: 3, categoryNames: 2, alternateTitle: 2, attributesText: 1, description: 0.5 },
    exactAttributes: ['mpn', 'ean', 'articleId', 'objectID'],
    attributesForFaceting: [
      'filterOnly(objectID)',
      'filterOnly(storefronts)',
      'filterOnly(sellerIds)',
      'filterOnly(brandId)',
      'filterOnly(modelId)',
      'filterOnly(groupId)',
      'filterOnly(commercialOperationIds)',
      'filterOnly(sponsoredOn)',
      'filterOnly(podiumOn)',
      'filterOnly(dealOn)',
      'filterOnly(isTopSale)',
      'filterOnly(hasProConditions)',
      'categoryIds',
      'categories.lvl0',
      'categories.lvl1',
      'categories.lvl2',
      'categories.lvl3',
      'brandName',
      'sellerName',
      'conditionGroup',
      'deliveryTags',
      'stars',
      'starsUp',
      'rating',
      'inStock',
      'isEcoResponsible',
      'isLocal',
      'isMmf',
      'price_b2c',
      'price_b2b',
      'price_b2b_vat',
      'discount',
      'createdAtS',
      'attrKeys',
      ...facets,
    ],
    customRanking: ['desc(inStock)', 'desc(popularity)'],
    sorts: {
      ...Object.fromEntries(
        ['b2c', 'b2b', 'b2b_vat'].flatMap((mode) => [
          [`price_asc_${mode}`, `asc(price_${mode})`],
          [`price_desc_${mode}`, `desc(price_${mode})`],
        ]),
      ),
      rating: 'desc(rating)',
      newest: 'desc(createdAtS)',
      discount: 'desc(discount)',
      popularity: 'desc(popularity)',
    },
    attributeForDistinct: 'groupId',
    headAttribute: 'thing',
    hitsPerPage: 48,
    maxValuesPerFacet: 1_000,
    paginationLimitedTo: reachableHits,
  }
}

/**
 * Settings of a market's index of offers: filters, facets and sort orders of the product index. A seller's page has no search
 * box, so descriptions are left out.
 */
export function offerSettings(market: Market, catalogue: Pick<Reference, 'attributes'>): IndexSettings {
  const { attributesForFaceting = [], customRanking = [], ...settings } = productSettings(market, catalogue)
  return {
    ...settings,
    searchableAttributes: ['title', 'thing', 'brandName', 'categoryNames', 'alternateTitle'],
    exactAttributes: ['mpn', 'ean', 'articleId'],
    attributesForFaceting: attributesForFaceting.filter((name) => !name.startsWith('categories.')),
    // Of a seller's offers of one product, the best comes first.
    customRanking: [...customRanking, 'asc(place)'],
  }
}

export function querySettings(market: Market): IndexSettings {
  return {
    language: markets[market].language,
    searchableAttributes: ['query'],
    attributesForFaceting: ['filterOnly(slug)', 'filterOnly(hasLanding)', 'filterOnly(storefronts)', 'filterOnly(categoryIds)'],
    customRanking: ['desc(popularity)'],
    hitsPerPage: 8,
  }
}
