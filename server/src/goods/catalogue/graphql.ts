import { markets } from '@purlin/contract/markets.ts'
import type { ActionsOf, SiteScope } from '#platform'
import { brandLogoUrl, brandUrl, categoryPictureUrl, categoryUrl, pictureUrl, productUrl } from './addresses.ts'
import { showAttributes } from './attributes.ts'
import { inLanguage, type Category } from './category-tree.ts'
import { findProduct } from './find-product.ts'
import { modelOptions } from './model-options.ts'
import { pictureVersion, type ProductSheet } from './product.ts'
import { reference } from './reference.ts'
import type { Brand } from './reference-rows.ts'
import { namedDocuments, pictureAlt, safetyWarnings } from './product-words.ts'

type Args = unknown
const languageOf = ({ market }: Pick<SiteScope, 'market'>) => markets[market].language

/** Pictures are square drawings; browsers keep their room free from these. */
const pictureSize = 960

const categoryFields = {
  name: (category: Category, _args: Args, scope: SiteScope) => inLanguage(category.names, languageOf(scope)),
  slug: (category: Category, _args: Args, scope: SiteScope) => inLanguage(category.slugs, languageOf(scope)),
  url: (category: Category, _args: Args, scope: SiteScope) => categoryUrl(category, languageOf(scope)),
  pictureUrl: ({ department }: Category) => categoryPictureUrl(department),
}

export const resolvers = {
  Query: {
    categoryTree: async (_parent: unknown, _args: Args, scope: SiteScope) => (await reference(scope)).categories.departments,
    category: async (_parent: unknown, { id }: { id: number }, scope: SiteScope) =>
      (await reference(scope)).categories.byId.get(id) ?? null,
    brand: async (_parent: unknown, { id }: { id: number }, scope: SiteScope) => (await reference(scope)).brands.get(id) ?? null,
    product: (_parent: unknown, { id }: { id: string }, scope: SiteScope) => findProduct(scope, id),
  },
  Category: {
    ...categoryFields,
    text: ({ texts }: Category, _args: Args, scope: SiteScope) => texts[languageOf(scope)] ?? null,
  },
  CategoryParent: categoryFields,
  Brand: {
    url: brandUrl,
    logoUrl: ({ id }: Brand) => brandLogoUrl(id),
    text: ({ texts }: Brand, _args: Args, scope: SiteScope) => texts[languageOf(scope)] ?? null,
  },
  Product: {
    id: ({ product }: ProductSheet) => product.id,
    articleId: ({ product }: ProductSheet) => product.articleId,
    title: ({ product }: ProductSheet, _args: Args, scope: SiteScope) => inLanguage(product.titles, languageOf(scope)),
    slug: ({ product }: ProductSheet, _args: Args, scope: SiteScope) => inLanguage(product.slugs, languageOf(scope)),
    url: ({ product }: ProductSheet, _args: Args, scope: SiteScope) => productUrl(inLanguage(product.slugs, languageOf(scope)), product.id),
    description: ({ product }: ProductSheet, _args: Args, scope: SiteScope) => inLanguage(product.descriptions, languageOf(scope)),
    brand: async ({ product }: ProductSheet, _args: Args, scope: SiteScope) => (await reference(scope)).brands.get(product.brandId) ?? null,
    categories: async ({ product }: ProductSheet, _args: Args, scope: SiteScope) => {
      const category = (await reference(scope)).categories.byId.get(product.categoryId)
      return category ? [...category.parents, category] : []
    },
    family: ({ product }: ProductSheet) => product.family,
    ean: ({ product }: ProductSheet) => product.ean,
    mpn: ({ product }: ProductSheet) => product.mpn,
    pictures: ({ product }: ProductSheet, _args: Args, scope: SiteScope) => {
      const title = inLanguage(product.titles, languageOf(scope))
      return product.pictures.map(({ view }, index) => ({
        view,
        url: pictureUrl(product.id, view, pictureVersion(product)),
        width: pictureSize,
        height: pictureSize,
        alt: pictureAlt(languageOf(scope), title, index),
      }))
    },
    attributes: async ({ product }: ProductSheet, _args: Args, scope: SiteScope) =>
      showAttributes(await reference(scope), scope.market, product.attributes),
    documents: ({ product }: ProductSheet, _args: Args, scope: SiteScope) => namedDocuments(product.documents, languageOf(scope)),
    safety: ({ product: { safety } }: ProductSheet, _args: Args, scope: SiteScope) => ({
      manufacturer: safety.manufacturer ?? '',
      address: safety.address ?? '',
      email: safety.email ?? '',
      responsiblePerson: safety.responsiblePerson ?? null,
      warnings: safetyWarnings(safety.warnings, languageOf(scope)),
    }),
    rating: ({ product }: ProductSheet) => product.rating,
    ratingCount: ({ product }: ProductSheet) => product.ratingCount,
    weightKg: ({ product }: ProductSheet) => product.weightG / 1000,
    unitMeasure: ({ product }: ProductSheet) => product.unitMeasure,
    unitQuantity: ({ product }: ProductSheet) => (product.unitQuantityMilli === null ? null : product.unitQuantityMilli / 1000),
    status: ({ product }: ProductSheet) => product.status,
    successorUrl: ({ product, successor }: ProductSheet) =>
      product.status === 'ended' && successor ? productUrl(successor.slug, successor.id) : null,
    modelId: ({ product }: ProductSheet) => product.modelId,
    options: async (sheet: ProductSheet, _args: Args, scope: SiteScope) => modelOptions(sheet, await reference(scope), scope.market),
  },
}

export const actions = {
  'Query.categoryTree': 'goods.see',
  'Query.category': 'goods.see',
  'Query.brand': 'goods.see',
  'Query.product': 'goods.see',
} satisfies ActionsOf<typeof resolvers>
