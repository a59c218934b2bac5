import { pointLines, slotText } from '#pickup'
import { townLines } from '@purlin/contract/addresses.ts'
import { markets } from '@purlin/contract/markets.ts'
import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor, type Words } from '@purlin/words/catalogues.ts'
import { showRate } from '#cart'
import type { Text } from '#content'
import type { MailBlock, MailContent, MailSite } from '#mail'
import type { Address, CustomerOrder, OrderLine, SellerOrder } from '#orders'
import { inTaxMode, showMoney } from '#pricing'
import type { OrderNames } from '#purchasing'
import { legalText } from './legal-text.ts'

export const mailKinds = ['confirmation', 'payment-failed', 'cancelled'] as const
export type MailKind = (typeof mailKinds)[number]

export interface OrderMail {
  order: CustomerOrder
  /** Opens the order without signing in. */
  token: string
  /** A company's references of the order, and the building site it goes to. */
  names: Omit<OrderNames, 'siteId'>
  /** Address and e-mail of each seller, by id, on one line: a withdrawal is declared to them. */
  sellerAddresses: ReadonlyMap<number, string>
  /** A purchasing system has ordered: its goods are in nobody's basket. */
  isFromSystem?: boolean
  /** The request for approval that has its goods; missing or null if they are in the basket. */
  requestId?: string | null
  /** Withdrawal and terms in force when the order was placed. */
  texts: readonly Text[]
}

/** A mail about an order in its market's language, built from the order as it was sold. */
export function orderMail(kind: MailKind, payload: OrderMail, { origin }: MailSite): MailContent {
  const { order, token, names, sellerAddresses, texts } = payload
  const { locale } = markets[order.market]
  const t = wordsFor(order.market)
  const { id } = order
  const text = {
    confirmation: () => t('mail.confirmation.text'),
    'payment-failed': () => t('mail.payment-failed.text', { until: order.holdsUntil ?? new Date() }),
    cancelled: () => t('mail.cancelled.text', { goods: payload.isFromSystem ? 'system' : payload.requestId ? 'request' : 'other' }),
  }[kind]()
  const first = order.sellerOrders[0]?.id ?? id
  const link = {
    confirmation: {
      label: t('mail.open'),
      url: origin + publicUrl('orderDetails', { customerOrderId: id, sellerOrderId: first }, { access: token }),
    },
    'payment-failed': { label: t('mail.pay'), url: origin + publicUrl('payment', { customerOrderId: id }) },
    cancelled: payload.requestId
      ? { label: t('approval.mail.decided.button'), url: `${origin}/my-account/approvals/${payload.requestId}` }
      : { label: t('mail.shop'), url: origin + publicUrl('cart', {}) },
  }[kind]
  const blocks: MailBlock[] = [
    { kind: 'text', text: t('mail.hello', { name: order.address.firstName }) },
    { kind: 'text', text },
    { kind: 'button', ...link },
    {
      kind: 'quiet',
      lines: [t('mail.order', { id }), ...(order.placedAt ? [t('mail.placed', { at: order.placedAt })] : []), ...namesOf(names, t)],
    },
    ...order.sellerOrders.map((part) => partOf(order, part, t, origin, sellerAddresses)),
    { kind: 'totals', rows: totalsOf(order, t) },
    {
      kind: 'columns',
      columns: [
        { title: t('mail.delivery-to'), lines: addressLines(order.address, locale) },
        { title: t('mail.invoice-to'), lines: addressLines(order.billingAddress, locale) },
      ],
    },
    { kind: 'text', text: t('mail.regards') },
    { kind: 'quiet', lines: [t('mail.why')] },
    // This mail concludes the contract: the terms it rests on are attached on a durable medium.
    ...(kind === 'confirmation' ? texts.map((text) => legalText(text, origin)) : []),
  ]
  return { subject: t(`mail.${kind}.subject`, { id }), preview: t(`mail.${kind}.preview`), blocks }
}

function namesOf({ purchaseOrder, costCentre, site }: OrderMail['names'], t: Words): string[] {
  return [
    purchaseOrder && t('mail.purchase-order', { number: purchaseOrder }),
    costCentre && t('mail.cost-centre', { code: costCentre }),
    site && t('order-reference.site', { site }),
  ].filter((line): line is string => Boolean(line))
}

function partOf(
  { market }: CustomerOrder,
  part: SellerOrder,
  t: Words,
  origin: string,
  sellerAddresses: ReadonlyMap<number, string>,
): MailBlock {
  const option = part.deliveryOptions.find(({ kind }) => kind === part.deliveryKind)
  const total = ({ total: gross, taxKey, vatRateBp }: OrderLine): string =>
    showMoney(market, inTaxMode(taxKey, gross, { rateBp: vatRateBp, hasNoVATForDE: false })).formatted
  const { name, legalName, vatNumber } = part.seller
  return {
    kind: 'items',
    title: t('mail.sold-by', { seller: name }),
    note: [legalName, sellerAddresses.get(part.sellerId), vatNumber].filter(Boolean).join(', '),
    items: part.lines.map((line) => ({
      title: [line.snapshot.title, line.snapshot.conditionLabel && `[${line.snapshot.conditionLabel}]`].filter(Boolean).join(' '),
      quantity: line.quantity,
      amount: total(line),
      picture: line.snapshot.imageUrl ? new URL(line.snapshot.imageUrl, origin).href : null,
    })),
    delivery: [
      option?.label,
      part.appointment ? slotText(market, part.appointment) : option?.promise,
      ...(part.pickUpPoint ? pointLines(part.pickUpPoint) : []),
    ]
      .filter(Boolean)
      .join(', '),
  }
}

function totalsOf({ market, totals }: CustomerOrder, t: Words): [string, string][] {
  if (!totals) return []
  const money = (amount: number): string => showMoney(market, amount).formatted
  const rows: [string, string][] = [
    [t('mail.goods'), money(totals.goods)],
    [t('mail.delivery'), money(totals.delivery)],
  ]
  if (totals.discount > 0) rows.push([t('mail.discount'), money(-totals.discount)])
  rows.push([t('mail.without-vat'), money(totals.net)])
  for (const { rateBp, vat } of totals.vatLines) rows.push([t('mail.vat', { rate: showRate(market, rateBp) }), money(vat)])
  return [...rows, [t('mail.total'), money(totals.total)]]
}

const namesOfCountries = new Map<string, Intl.DisplayNames>()

function countryNames(locale: string): Intl.DisplayNames {
  const names = namesOfCountries.get(locale) ?? new Intl.DisplayNames(locale, { type: 'region' })
  namesOfCountries.set(locale, names)
  return names
}

function addressLines(address: Address, locale: string): string[] {
  const country = countryNames(locale).of(address.country) ?? address.country
  const place = townLines(address)
  const name = `${address.firstName} ${address.lastName}`.trim()
  return [name, address.company, address.line1, address.line2, ...place, country, address.vatNumber].filter((line): line is string =>
    Boolean(line),
  )
}
