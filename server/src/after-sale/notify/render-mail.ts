import { markets } from '@purlin/contract/markets.ts'
import { showRate } from '#cart'
import type { Address, CustomerOrder, OrderLine, SellerOrder } from '#orders'
import { inTaxMode, showMoney } from '#pricing'
import { fill, mailWords, type MailWords } from './mail-words.ts'

export const mailKinds = ['confirmation', 'payment-failed', 'cancelled'] as const
export type MailKind = (typeof mailKinds)[number]

export interface Mail {
  subject: string
  text: string
  html: string
}

export interface MailContext {
  kind: MailKind
  order: CustomerOrder
  /** Of the shop the buyer came from. */
  origin: string
  /** Opens the order without signing in. */
  token: string
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

/** A mail in the market's language, made from the order as it was sold: the same order always gives the same mail. */
export function renderMail({ kind, order, origin, token }: MailContext): Mail {
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
  const said = { ...words[kind], subject: fill(words[kind].subject, values), text: fill(words[kind].text, values) }
  const hello = fill(words.hello, values)
  const facts = [fill(words.order, values), fill(words.placed, values)]
  const parts = order.sellerOrders.map((part) => partOf(order, part, words))
  const totals = totalsOf(order, words)
  const addresses = [
    { title: words.to, lines: addressLines(order.address, locale) },
    { title: words.billing, lines: addressLines(order.billingAddress, locale) },
  ]
  return {
    subject: said.subject,
    text: plain({ hello, text: said.text, link, facts, parts, totals, addresses, words }),
    html: html({
      language,
      preview: said.preview,
      subject: said.subject,
      hello,
      text: said.text,
      link,
      facts,
      parts,
      totals,
      addresses,
      words,
    }),
  }
}

interface Part {
  seller: string
  lines: { title: string; quantity: number; total: string }[]
  delivery: string
}
interface Content {
  hello: string
  text: string
  link: { label: string; url: string }
  facts: string[]
  parts: Part[]
  totals: [string, string][]
  addresses: { title: string; lines: string[] }[]
  words: MailWords
}

function partOf({ market }: CustomerOrder, part: SellerOrder, words: MailWords): Part {
  const option = part.deliveryOptions.find(({ kind }) => kind === part.deliveryKind)
  const total = ({ total: gross, taxKey, vatRateBp }: OrderLine): string =>
    showMoney(market, inTaxMode(taxKey, gross, { rateBp: vatRateBp, hasNoVATForDE: false })).formatted
  return {
    seller: fill(words.soldBy, { seller: part.seller.name }),
    lines: part.lines.map((line) => ({
      title: [line.snapshot.title, line.snapshot.conditionLabel && `[${line.snapshot.conditionLabel}]`].filter(Boolean).join(' '),
      quantity: line.quantity,
      total: total(line),
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
  const place = address.country === 'GB' ? [address.city, address.postcode] : [`${address.postcode} ${address.city}`]
  const name = `${address.firstName} ${address.lastName}`.trim()
  return [name, address.company, address.line1, address.line2, ...place, country, address.vatNumber].filter((line): line is string =>
    Boolean(line),
  )
}

function plain({ hello, text, link, facts, parts, totals, addresses, words }: Content): string {
  const blocks = [
    hello,
    text,
    `${link.label}${words.colon}${link.url}`,
    facts.join('\n'),
    ...parts.map(({ seller, lines, delivery }) =>
      [seller, ...lines.map(({ title, quantity, total }) => `  ${quantity} × ${title}${words.colon}${total}`), `  ${delivery}`].join('\n'),
    ),
    totals.map(([label, amount]) => `${label}${words.colon}${amount}`).join('\n'),
    ...addresses.map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)].join('\n')),
    words.regards,
    words.why,
  ]
  return `${blocks.join('\n\n')}\n`
}

/** Tables and inline styles: what mail readers understand. */
function html(content: Content & { language: string; subject: string; preview: string }): string {
  const { hello, text, link, facts, parts, totals, addresses, words } = content
  const e = escapeHtml
  const quiet = 'color:#4a505c;font-size:14px'
  const partRows = parts.map(
    ({ seller, lines, delivery }) =>
      `<tr><td colspan="2" style="padding:20px 0 4px;font-weight:bold">${e(seller)}</td></tr>${lines
        .map(
          ({ title, quantity, total }) =>
            `<tr><td style="padding:4px 12px 4px 0">${quantity} × ${e(title)}</td><td align="right" style="padding:4px 0;white-space:nowrap">${e(total)}</td></tr>`,
        )
        .join('')}<tr><td colspan="2" style="padding:0 0 4px;${quiet}">${e(delivery)}</td></tr>`,
  )
  const totalRows = totals.map(([label, amount], index) => {
    const style = index === totals.length - 1 ? 'padding:8px 0;font-weight:bold;border-top:1px solid #e2ded5' : 'padding:2px 0'
    return `<tr><td style="${style}">${e(label)}</td><td align="right" style="${style};white-space:nowrap">${e(amount)}</td></tr>`
  })
  const places = addresses.map(
    ({ title, lines }) =>
      `<td valign="top" style="padding:16px 16px 0 0;width:50%"><b>${e(title)}</b><br>${lines.map(e).join('<br>')}</td>`,
  )
  return `<!doctype html><html lang="${content.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${e(content.subject)}</title></head>
<body style="margin:0;background:#f6f4ef;color:#1a1d24;font:16px/1.5 Helvetica,Arial,sans-serif"><div style="display:none;max-height:0;overflow:hidden">${e(content.preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border-radius:14px"><tr><td style="padding:24px 28px">
<p style="margin:0 0 20px;color:#2237b4;font-size:22px;font-weight:bold">Purlin</p><p style="margin:0 0 12px">${e(hello)}</p><p style="margin:0 0 20px">${e(text)}</p>
<p style="margin:0 0 24px"><a href="${e(link.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#2237b4;color:#ffffff;font-weight:bold;text-decoration:none">${e(link.label)}</a></p>
<p style="margin:0;${quiet}">${facts.map(e).join('<br>')}</p>
<table width="100%" cellpadding="0" cellspacing="0">${partRows.join('')}</table>
<table width="100%" cellpadding="0" cellspacing="0" style="margin-top:16px">${totalRows.join('')}</table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="font-size:14px"><tr>${places.join('')}</tr></table>
<p style="margin:24px 0 0">${e(words.regards)}</p><p style="margin:16px 0 0;${quiet}">${e(words.why)}</p></td></tr></table></td></tr></table></body></html>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
