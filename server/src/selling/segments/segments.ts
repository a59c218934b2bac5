import * as v from 'valibot'

/** Customer segments: enumerations, and the table of fields. On the wire a value is in capitals, OCC_B_NUMB_1. Source: spec §3, R-306…R-329. */

export const trades = ['electrician', 'plumber', 'electrician-plumber', 'generalist', 'carpenter', 'painter'] as const
export const buyNumberClusters = [
  'prospects',
  'occ-b-numb-1',
  'occ-b-numb-2',
  'occ-b-numb-3',
  'occ-b-numb-4',
  'recurring',
  'frequent',
  'loyal',
  'wavering',
] as const
export const b2bIntentions = ['converted', 'lead', 'unknown'] as const
export const suspectedProLevels = ['very-high-suspected-pro', 'high-suspected-pro', 'medium-suspected-pro', 'not-suspected-pro'] as const
export const proTypes = ['corporate', 'construction', 'unknown'] as const
export const loyaltyTiers = ['gold', 'silver', 'bronze', 'undefined'] as const
export const memberships = ['member', 'top-member', 'opt-out'] as const
export const purchaseBands = [
  'one-purchase',
  'one-purchase-all',
  'one-purchase-active',
  'one-purchase-inactive',
  'medium-purchase',
  'medium-purchase-all',
  'medium-purchase-active',
  'medium-purchase-inactive',
  'high-purchase',
  'high-purchase-all',
  'high-purchase-active',
  'high-purchase-inactive',
] as const
export const subscriptionPeriods = ['yearly', 'monthly'] as const
export const customerValues = ['very-high', 'high', 'medium', 'low'] as const
export const intents = ['web-to-app-prospect'] as const

/** Sources of a value: stated by the customer, sent by an external program, or computed nightly. */
export const sources = ['declared', 'imported', 'computed'] as const
export type Source = (typeof sources)[number]

interface Keeping {
  /** The owner of the field's meaning. */
  owner: 'customer' | 'professionals' | 'loyalty' | 'marketing' | 'subscriptions'
  /** The first that has a value counts. */
  sources: readonly Source[]
}

interface Field extends Keeping {
  /** Null for a yes or no. */
  values: readonly string[] | null
}

/** A value as it is written on the wire is the same value. */
function ourValue(raw: string): string {
  return raw.toLowerCase().replaceAll('_', '-')
}
const ours = v.pipe(v.string(), v.transform(ourValue))

function oneOf<const Values extends readonly string[]>(values: Values, neutral: Values[number], keeping: Keeping) {
  return v.fallback(v.pipe(ours, v.picklist(values), v.metadata({ ...keeping, values })), neutral)
}
function oneOrNone<const Values extends readonly string[]>(values: Values, keeping: Keeping) {
  return v.fallback(v.nullable(v.pipe(ours, v.picklist(values), v.metadata({ ...keeping, values }))), null)
}
function mark(keeping: Keeping) {
  return v.fallback(v.pipe(v.boolean(), v.metadata({ ...keeping, values: null })), false)
}

/**
 * Every segment: its values, the neutral one that applies without a (known) value, its owner and its
 * sources. Screens read segments through this table, so that an absent one has its default everywhere.
 */
export const segmentFields = {
  b2b_intention: oneOf(b2bIntentions, 'unknown', { owner: 'professionals', sources: ['computed'] }),
  /** The welcome to the professional storefront has been read. */
  b2b_welcome: mark({ owner: 'customer', sources: ['declared'] }),
  /** The note on prices without VAT has been read. */
  b2b_vat_modal: mark({ owner: 'customer', sources: ['declared'] }),
  b2b_suspected_pro: oneOf(suspectedProLevels, 'not-suspected-pro', {
    owner: 'professionals',
    sources: ['declared', 'imported', 'computed'],
  }),
  suspected_pro_type: oneOf(proTypes, 'unknown', { owner: 'professionals', sources: ['imported', 'computed'] }),
  /** Their trade. */
  profile: oneOrNone(trades, { owner: 'professionals', sources: ['imported'] }),
  /** Purchases so far, and whether the last one is less than a year ago. */
  cluster: oneOrNone(purchaseBands, { owner: 'marketing', sources: ['imported', 'computed'] }),
  buy_number_cluster: oneOf(buyNumberClusters, 'prospects', { owner: 'marketing', sources: ['imported', 'computed'] }),
  /** Purchases so far, however long ago. */
  audience_group: oneOrNone(purchaseBands, { owner: 'marketing', sources: ['imported', 'computed'] }),
  loyalty_level: oneOf(loyaltyTiers, 'undefined', { owner: 'loyalty', sources: ['imported', 'computed'] }),
  loyalty_hvc_level: oneOrNone(memberships, { owner: 'loyalty', sources: ['imported', 'computed'] }),
  app_cluster: oneOrNone(intents, { owner: 'marketing', sources: ['imported'] }),
  last_chance_churn: mark({ owner: 'marketing', sources: ['imported', 'computed'] }),
  anti_churn: mark({ owner: 'marketing', sources: ['imported', 'computed'] }),
  b2b_subscription: oneOrNone(subscriptionPeriods, { owner: 'subscriptions', sources: ['imported', 'computed'] }),
  customer_value: oneOf(customerValues, 'low', { owner: 'marketing', sources: ['imported', 'computed'] }),
}

const table = v.object(segmentFields)
export type Segments = v.InferOutput<typeof table>
export type SegmentName = keyof Segments

export const segmentNames = Object.keys(segmentFields).filter(isSegmentName)

export function isSegmentName(name: string): name is SegmentName {
  return Object.hasOwn(segmentFields, name)
}

/** Values of a customer by source, as they came. */
export type KeptSegments = Readonly<Record<Source, Readonly<Record<string, unknown>>>>

/** A customer's segments: for each field the first source with a value; invalid values count as neutral. */
export function segmentsOf(kept: KeptSegments): Segments {
  return v.parse(
    table,
    Object.fromEntries(
      segmentNames.map((name) => [
        name,
        sourcesOf(name)
          .map((source) => kept[source][name])
          .find(isSaid),
      ]),
    ),
  )
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null
}

export function sourcesOf(name: SegmentName): readonly Source[] {
  return fieldOf(name).sources
}

export function fieldOf(name: SegmentName): Field {
  const field = segmentFields[name]
  return v.getMetadata('wrapped' in field ? field.wrapped : field)
}

/** Whether this release knows the value for the field. */
export function isValueOf(name: SegmentName, value: unknown): boolean {
  const { values } = fieldOf(name)
  if (values === null) return typeof value === 'boolean'
  return typeof value === 'string' && values.includes(ourValue(value))
}
