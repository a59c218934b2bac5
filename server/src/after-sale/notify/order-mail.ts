import { townLines } from '@purlin/contract/addresses.ts'
import { markets } from '@purlin/contract/markets.ts'
import { showRate } from '#cart'
import type { Text } from '#content'
import type { MailBlock, MailContent, MailSite } from '#mail'
import type { Address, CustomerOrder, OrderLine, SellerOrder } from '#orders'
import { inTaxMode, showMoney } from '#pricing'
import { legalText } from './legal-text.ts'
import { fill, mailWords, type MailWords } from './mail-words.ts'

export const mailKinds = ['confirmation', 'payment-failed', 'cancelled'] as const
export type MailKind = (typeof mailKinds)[number]

export interface OrderMail {
  order: CustomerOrder
  /** Opens the order without signing in. */
  token: string
  /** Address and e-mail of each seller, by id, on one line: withdrawal is declared to them. */
  sellerAddresses: ReadonlyMap<number, string>
  /** Withdrawal and terms in force when the order was placed. */
  texts: readonly Text[]
}

type DateStyle = 'day' | 'time'
const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than making the rest of the mail. */
function dateFormat(locale: string, timeZone: string, style: DateStyle): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${style}`
  const known = dateFormats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale, { ...(style === 'day' ? { dateStyle: 'long' } : { timeStyle: 'short' }), timeZone })
  dateFormats.set(key, made)
  return made
}

/** A mail about an order in its market's language, made from the order as it was sold. */
export function orderMail(kind: MailKind, { order, token, sellerAddresses, texts }: OrderMail, { origin }: MailSite): MailContent {
  const { language, locale, timeZone } = markets[order.market]
  const words = mailWords[language]
  const date = (value: Date | null, style: DateStyle): string => (value ? dateFormat(locale, timeZone, style).format(value) : '')
  const values = {
    id: order.id,
    name: order.address.firstName,
    date: date(order.placedAt, 'day'),
    until: date(order.holdsUntil, 'time'),
  }
  const first = order.sellerOrders[0]?.id ?? order.id
  const link = {
    confirmation: { label: words.open, url: `${origin}/orders/customer-order/${order.id}/shipment/${first}?access=${token}` },
    'payment-failed': { label: words.pay, url: `${origin}/order/${order.id}/secure-payment` },
    cancelled: { label: words.shop, url: `${origin}/cart` },
  }[kind]
  const said = words[kind]
  const blocks: MailBlock[] = [
    { kind: 'text', text: fill(words.hello, values) },
    { kind: 'text', text: fill(said.text, values) },
    { kind: 'button', ...link },
    { kind: 'quiet', lines: [fill(words.order, values), fill(words.placed, values)] },
    ...order.sellerOrders.map((part) => partOf(order, part, words, origin, sellerAddresses)),
    { kind: 'totals', rows: totalsOf(order, words) },
    {
      kind: 'columns',
      columns: [
        { title: words.to, lines: addressLines(order.address, locale) },
        { title: words.billing, lines: addressLines(order.billingAddress, locale) },
      ],
    },
    { kind: 'text', text: words.regards },
    { kind: 'quiet', lines: [words.why] },
    // The contract is concluded with this mail: what it rests on comes with it, on a medium that lasts.
    ...(kind === 'confirmation' ? texts.map((text) => legalText(text, origin)) : []),
  ]
  return { subject: fill(said.subject, values), preview: said.preview, blocks }
}

function partOf(
  { market }: CustomerOrder,
  part: SellerOrder,
  words: MailWords,
  origin: string,
  sellerAddresses: ReadonlyMap<number, string>,
): MailBlock {
  const option = part.deliveryOptions.find(({ kind }) => kind === part.deliveryKind)
  const total = ({ total: gross, taxKey, vatRateBp }: OrderLine): string =>
    showMoney(market, inTaxMode(taxKey, gross, { rateBp: vatRateBp, hasNoVATForDE: false })).formatted
  const { name, legalName, vatNumber } = part.seller
  return {
    kind: 'items',
    title: fill(words.soldBy, { seller: name }),
    note: [legalName, sellerAddresses.get(part.sellerId), vatNumber].filter(Boolean).join(', '),
    items: part.lines.map((line) => ({
      title: [line.snapshot.title, line.snapshot.conditionLabel && `[${line.snapshot.conditionLabel}]`].filter(Boolean).join(' '),
      quantity: line.quantity,
      amount: total(line),
      picture: line.snapshot.imageUrl ? new URL(line.snapshot.imageUrl, origin).href : null,
    })),
    delivery: [option?.label, option?.promise].filter(Boolean).join(', '),
  }
}

function totalsOf({ market, totals }: CustomerOrder, words: MailWords): [string, string][] {
  if (!totals) return []
  const money = (amount: number): string => showMoney(market, amount).formatted
  const rows: [string, string][] = [
    [words.goods, money(totals.goods)],
    [words.delivery, money(totals.delivery)],
  ]
  if (totals.discount > 0) rows.push([words.discount, money(-totals.discount)])
  rows.push([words.withoutVat, money(totals.net)])
  for (const { rateBp, vat } of totals.vatLines) rows.push([fill(words.vat, { rate: showRate(market, rateBp) }), money(vat)])
  return [...rows, [words.total, money(totals.total)]]
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
