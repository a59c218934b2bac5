import { markets } from '@purlin/contract/markets.ts'
import type { ActionsOf, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { brandLogoUrl, brandUrl, categoryPictureUrl, categoryUrl, pictureUrl, productUrl } from './addresses.ts'
import { showAttributes } from './attributes.ts'
import { inLanguage, type Category } from './category-tree.ts'
import { findProduct } from './find-product.ts'
import { modelOptions } from './model-options.ts'
import { pictureVersion } from './product.ts'
import { reference } from './reference.ts'
import { namedDocuments, pictureAlt, safetyWarnings } from './product-words.ts'

const languageOf = ({ market }: Pick<SiteScope, 'market'>) => markets[market].language

/** Pictures are square drawings; browsers reserve their space from these. */
const pictureSize = 960

const categoryFields = {
  name: (category: Category, _args: unknown, scope: SiteScope) => inLanguage(category.names, languageOf(scope)),
  slug: (category: Category, _args: unknown, scope: SiteScope) => inLanguage(category.slugs, languageOf(scope)),
  url: (category: Category, _args: unknown, scope: SiteScope) => categoryUrl(category, languageOf(scope)),
  pictureUrl: ({ department }: Category) => categoryPictureUrl(department),
}

export const resolvers = {
  Query: {
    categoryTree: async (_parent, _args, scope: SiteScope) => (await reference(scope)).categories.departments,
    category: async (_parent, { id }, scope: SiteScope) => (await reference(scope)).categories.byId.get(id) ?? null,
    brand: async (_parent, { id }, scope: SiteScope) => (await reference(scope)).brands.get(id) ?? null,
    product: (_parent, { id }, scope: SiteScope) => findProduct(scope, id),
  },
  Category: {
    ...categoryFields,
    text: ({ texts }, _args, scope: SiteScope) => texts[languageOf(scope)] ?? null,
  },
  CategoryParent: categoryFields,
  Brand: {
    url: brandUrl,
    logoUrl: ({ id }) => brandLogoUrl(id),
    text: ({ texts }, _args, scope: SiteScope) => texts[languageOf(scope)] ?? null,
  },
  Product: {
    id: ({ product }) => product.id,
    articleId: ({ product }) => product.articleId,
    title: ({ product }, _args, scope: SiteScope) => inLanguage(product.titles, languageOf(scope)),
    slug: ({ product }, _args, scope: SiteScope) => inLanguage(product.slugs, languageOf(scope)),
    url: ({ product }, _args, scope: SiteScope) => productUrl(inLanguage(product.slugs, languageOf(scope)), product.id),
    description: ({ product }, _args, scope: SiteScope) => inLanguage(product.descriptions, languageOf(scope)),
    brand: async ({ product }, _args, scope: SiteScope) => (await reference(scope)).brands.get(product.brandId) ?? null,
    categories: async ({ product }, _args, scope: SiteScope) => {
      const category = (await reference(scope)).categories.byId.get(product.categoryId)
      return category ? [...category.parents, category] : []
    },
    family: ({ product }) => product.family,
    ean: ({ product }) => product.ean,
    mpn: ({ product }) => product.mpn,
    pictures: ({ product }, _args, scope: SiteScope) => {
      const title = inLanguage(product.titles, languageOf(scope))
      return product.pictures.map((picture, index) => ({
        view: picture.view,
        url: pictureUrl(product.id, picture, pictureVersion(product)),
        width: pictureSize,
        height: pictureSize,
        alt: pictureAlt(scope.market, title, index),
      }))
    },
    attributes: async ({ product }, _args, scope: SiteScope) => showAttributes(await reference(scope), scope.market, product.attributes),
    documents: ({ product }, _args, scope: SiteScope) => namedDocuments(product.documents, scope.market),
    safety: ({ product: { safety } }, _args, scope: SiteScope) => ({
      manufacturer: safety.manufacturer ?? '',
      address: safety.address ?? '',
      email: safety.email ?? '',
      responsiblePerson: safety.responsiblePerson ?? null,
      warnings: safetyWarnings(safety.warnings, languageOf(scope)),
    }),
    rating: ({ product }) => product.rating,
    ratingCount: ({ product }) => product.ratingCount,
    weightKg: ({ product }) => product.weightG / 1000,
    unitMeasure: ({ product }) => product.unitMeasure,
    unitQuantity: ({ product }) => (product.unitQuantityMilli === null ? null : product.unitQuantityMilli / 1000),
    status: ({ product }) => product.status,
    successorUrl: ({ product, successor }) => (product.status === 'ended' && successor ? productUrl(successor.slug, successor.id) : null),
    modelId: ({ product }) => product.modelId,
    options: async (sheet, _args, scope: SiteScope) => modelOptions(sheet, await reference(scope), scope.market),
  },
} satisfies Resolvers

export const actions = {
  'Query.categoryTree': 'goods.see',
  'Query.category': 'goods.see',
  'Query.brand': 'goods.see',
  'Query.product': 'goods.see',
} satisfies ActionsOf<typeof resolvers>
