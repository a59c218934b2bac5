import type { Db } from '#platform'
import type { Market } from '@purlin/contract/markets.ts'

/** A small catalogue for tests: three categories, two brands, four sellers. Each call adds the given products. */
export interface TestProduct {
  id: number
  title?: string
  brandId?: number
  categoryId?: number
  modelId?: number | null
  attributes?: Record<string, string | number>
  flags?: string[]
  unit?: { measure: string; quantityMilli: number } | null
  rating?: number | null
  popularity?: number
  status?: 'active' | 'ended'
  successorId?: number | null
}

export interface TestOffer {
  id: number
  productId: number
  sellerId?: number
  market?: Market
  price?: number
  proPrice?: number | null
  stock?: number
  condition?: string
  isSample?: boolean
  sponsored?: boolean
  bulk?: number
  isMmf?: boolean
  couponCode?: string | null
  operations?: number[]
  promotionEndsAt?: Date | null
  delivery?: object[]
  /** Previous price, in effect for a long time until three days ago. */
  was?: number | null
}

const sql = (name: string, text: string): { name: string; text: string } => ({ name: `test.${name}`, text })

export async function testReference(db: Db): Promise<void> {
  const names = (en: string, fr: string, de: string) => JSON.stringify({ en, fr, de, es: en, it: en })
  const category = sql(
    'category',
    `insert into catalogue.category (id, parent_id, level, position, path, department, names, slugs) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
  )
  await db.run(category, [1, null, 0, 0, [1], 'tools', names('Tools', 'Outillage', 'Werkzeug'), names('tools', 'outillage', 'werkzeug')])
  await db.run(category, [
    11,
    1,
    1,
    0,
    [1, 11],
    'tools',
    names('Drills', 'Perceuses', 'Bohrmaschinen'),
    names('drills', 'perceuses', 'bohrmaschinen'),
  ])
  await db.run(category, [12, 1, 1, 1, [1, 12], 'tools', names('Saws', 'Scies', 'Sägen'), names('saws', 'scies', 'saegen')])
  await db.run(category, [2, null, 0, 1, [2], 'energy', names('Energy', 'Énergie', 'Energie'), names('energy', 'energie', 'energie')])
  await db.run(category, [
    2257,
    2,
    1,
    0,
    [2, 2257],
    'energy',
    names('Solar', 'Solaire', 'Photovoltaik'),
    names('solar', 'solaire', 'photovoltaik'),
  ])
  const brand = sql('brand', `insert into catalogue.brand (id, slug, name, tier, country) values ($1, $2, $3, 1, 'DE')`)
  await db.run(brand, [1, 'tarvok', 'Tarvok'])
  await db.run(brand, [2, 'brexiro', 'Brexiro'])
  const attribute = sql('attribute', `insert into catalogue.attribute (key, kind, names, units, decimals) values ($1, $2, $3, $4, 0)`)
  await db.run(attribute, [
    'voltage',
    'number',
    names('Voltage', 'Tension', 'Spannung'),
    JSON.stringify({ en: 'V', fr: 'V', de: 'V', es: 'V', it: 'V' }),
  ])
  await db.run(attribute, ['temperature', 'number', names('Temperature', 'Température', 'Temperatur'), null])
  await db.run(attribute, ['color', 'text', names('Colour', 'Couleur', 'Farbe'), null])
  const word = sql('word', `insert into catalogue.attribute_word (value, names, hex) values ($1, $2, $3)`)
  await db.run(word, ['blue', names('blue', 'bleu', 'blau'), '#0000ff'])
  await db.run(word, ['red', names('red', 'rouge', 'rot'), '#ff0000'])
  const rule = sql(
    'vat',
    `insert into pricing.vat_rule (id, market, category_id, rate_bp, flag, valid_from) values ($1, $2, $3, $4, $5, '2021-01-01')`,
  )
  for (const [id, market, rate] of [
    [1, 'es', 2100],
    [2, 'fr', 2000],
    [3, 'gb', 2000],
    [4, 'de', 1900],
    [5, 'it', 2200],
  ] as const)
    await db.run(rule, [id, market, null, rate, null])
  await db.run(rule, [6, 'de', 2257, 0, 'hasNoVATForDE'])
  const seller = sql(
    'seller',
    `insert into sellers.seller (id, slug, name, legal_name, country, vat_number, registration, address, email, phone, is_b2b, rating, rating_count, response_hours, commission_bp, free_delivery_from)
     values ($1, $2, $2, $2, $3, 'VAT', 'REG', $4, 'shop@example.org', '1', $5, 4.5, 100, 24, 1200, $6)`,
  )
  const address = JSON.stringify({ line1: '1 High Street', postcode: 'M1 1AE', city: 'Manchester', country: 'GB' })
  await db.run(seller, [1, 'albion', 'GB', address, false, '{}'])
  await db.run(seller, [2, 'rhein', 'DE', address, false, JSON.stringify({ gb: 5_000 })])
  await db.run(seller, [3, 'trade-only', 'GB', address, true, '{}'])
  await db.run(seller, [4, 'seine', 'FR', address, false, '{}'])
  const operation = sql(
    'operation',
    `insert into catalogue.commercial_operation (id, type, market, slug, name, starts_at, ends_at) values ($1, $2, $3, 'x', $4, now() - interval '1 day', now() + interval '30 days')`,
  )
  await db.run(operation, [70, 'productdays', 'gb', 'Garden days'])
}

export async function testProduct(db: Db, of: TestProduct): Promise<void> {
  const title = of.title ?? `Cordless drill ${of.id}`
  const texts = (text: string) =>
    JSON.stringify({ en: text, fr: `${text} (fr)`, de: `${text} (de)`, es: `${text} (es)`, it: `${text} (it)` })
  const slug = title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  if (of.modelId)
    await db.run(sql('model', `insert into catalogue.model (id, axes) values ($1, '{voltage,color}') on conflict do nothing`), [of.modelId])
  await db.run(
    sql(
      'product',
      `insert into catalogue.product (id, article_id, model_id, brand_id, category_id, family, ean, mpn, titles, descriptions, slugs, attributes, weight_g,
         unit_measure, unit_quantity_milli, flags, pictures, rating, rating_count, popularity, status, successor_id)
       values ($1, $2, $3, $4, $5, 'cordless_drill', $6, $7, $8, $9, $10, $11, 2100, $12, $13, $14, '[{"view":"main"},{"view":"side"}]', $15, 10, $16, $17, $18)`,
    ),
    [
      of.id,
      of.id + 100_000,
      of.modelId ?? null,
      of.brandId ?? 1,
      of.categoryId ?? 11,
      String(2_000_000_000_000 + of.id),
      `TV-${of.id}`,
      texts(title),
      texts(`${title} for wood and metal.`),
      texts(slug),
      JSON.stringify(of.attributes ?? { voltage: 18, color: 'blue' }),
      of.unit?.measure ?? null,
      of.unit?.quantityMilli ?? null,
      of.flags ?? [],
      of.rating === undefined ? 4.4 : of.rating,
      of.popularity ?? 100,
      of.status ?? 'active',
      of.successorId ?? null,
    ],
  )
}

const standard = [{ kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 }]

export async function testOffer(db: Db, of: TestOffer): Promise<void> {
  const market = of.market ?? 'gb'
  const price = of.price ?? 12_000
  await db.run(
    sql(
      'offer',
      `insert into catalogue.offer (id, product_id, seller_id, market, pim_offer_id, condition, currency, price, pro_price, stock, is_sample, delivery,
         commercial_operation_ids, promotion_ends_at, coupon_code, sponsored, bulk, is_mmf)
       values ($1, $2, $3, $4, $1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    ),
    [
      of.id,
      of.productId,
      of.sellerId ?? 1,
      market,
      of.condition ?? 'new',
      market === 'gb' ? 'GBP' : 'EUR',
      price,
      of.proPrice ?? null,
      of.stock ?? 10,
      of.isSample ?? false,
      JSON.stringify(of.delivery ?? standard),
      of.operations ?? [],
      of.promotionEndsAt ?? null,
      of.couponCode ?? null,
      of.sponsored ?? false,
      of.bulk ?? null,
      of.isMmf ?? false,
    ],
  )
  const history = sql(
    'price',
    `insert into catalogue.price_history (offer_id, price, valid_from) values ($1, $2, now() - $3::integer * interval '1 day')`,
  )
  if (of.was) await db.run(history, [of.id, of.was, 200])
  await db.run(history, [of.id, price, of.was ? 3 : 200])
}
