import { unitPriceOf, type BasketItem } from './basket.ts'
import { all, at, escapeXml as e, textAt, type Element } from './xml.ts'

/** cXML 1.2: the parts of the protocol that a punch-out catalogue needs. Amounts are decimal strings. */

export interface Sender {
  identity: string
  secret: string
}

export interface SetupRequest {
  operation: string
  buyerCookie: string
  postUrl: string
  buyer: string
  items: { offerId: string; quantity: number }[]
}

export interface OrderRequest {
  orderNumber: string
  type: string
  currency: string
  shipTo: ShipTo | null
  costCentre: string | null
  items: OrderItem[]
}
export interface OrderItem {
  offerId: string
  quantity: number
  /** As ordered, without VAT. */
  unitPrice: string
  currency: string
}
export interface ShipTo {
  addressId: string
  name: string
  deliverTo: string[]
  streets: string[]
  city: string
  postcode: string
  country: string
  phone: string
}

export type CxmlRequest =
  | { kind: 'profile' }
  | { kind: 'setup'; request: SetupRequest }
  | { kind: 'order'; request: OrderRequest }
  | { kind: 'other'; name: string }

export function senderOf(document: Element): Sender {
  const credential = at(document, 'Header', 'Sender', 'Credential')
  return { identity: textAt(credential, 'Identity'), secret: textAt(credential, 'SharedSecret') }
}

export function requestOf(document: Element): CxmlRequest {
  const [request] = at(document, 'Request')?.children ?? []
  if (request?.name === 'ProfileRequest') return { kind: 'profile' }
  if (request?.name === 'PunchOutSetupRequest') return { kind: 'setup', request: setupOf(request) }
  if (request?.name === 'OrderRequest') return { kind: 'order', request: orderOf(request) }
  return { kind: 'other', name: request?.name ?? '' }
}

function setupOf(request: Element): SetupRequest {
  const extrinsic = (name: string) =>
    all(request, 'Extrinsic')
      .find(({ attributes }) => attributes['name'] === name)
      ?.text.trim()
  return {
    operation: request.attributes['operation'] ?? '',
    buyerCookie: at(request, 'BuyerCookie')?.text ?? '',
    postUrl: textAt(request, 'BrowserFormPost', 'URL'),
    buyer: textAt(request, 'Contact', 'Name') || extrinsic('UserEmail') || extrinsic('UniqueName') || '',
    items: all(request, 'ItemOut').map(itemOf),
  }
}

function orderOf(request: Element): OrderRequest {
  const header = at(request, 'OrderRequestHeader')
  const address = at(header, 'ShipTo', 'Address')
  const postal = at(address, 'PostalAddress')
  const costCentre = all(header, 'Extrinsic').find(({ attributes }) => /^cost ?cent(?:er|re)$/i.test(attributes['name'] ?? ''))
  return {
    orderNumber: header?.attributes['orderID']?.trim() ?? '',
    type: header?.attributes['type'] ?? 'new',
    currency: at(header, 'Total', 'Money')?.attributes['currency'] ?? '',
    costCentre: costCentre?.text.trim() || null,
    shipTo: address
      ? {
          addressId: address.attributes['addressID']?.trim() ?? '',
          name: textAt(address, 'Name'),
          deliverTo: all(postal, 'DeliverTo').map(({ text }) => text.trim()),
          streets: all(postal, 'Street').map(({ text }) => text.trim()),
          city: textAt(postal, 'City'),
          postcode: textAt(postal, 'PostalCode'),
          country: at(postal, 'Country')?.attributes['isoCountryCode'] ?? '',
          phone: phoneOf(at(address, 'Phone', 'TelephoneNumber')),
        }
      : null,
    items: all(request, 'ItemOut').map((item) => {
      const money = at(item, 'ItemDetail', 'UnitPrice', 'Money')
      return { ...itemOf(item), unitPrice: money?.text.trim() ?? '', currency: money?.attributes['currency'] ?? '' }
    }),
  }
}

function itemOf(item: Element): { offerId: string; quantity: number } {
  return { offerId: textAt(item, 'ItemID', 'SupplierPartID'), quantity: Number(item.attributes['quantity'] ?? '') }
}

function phoneOf(number: Element | undefined): string {
  const parts = ['CountryCode', 'AreaOrCityCode', 'Number'].map((name) => textAt(number, name))
  return parts[0] ? `+${parts.join('')}` : parts.join('')
}

/** The codes of cXML's Status that we return. */
export const statuses = {
  200: 'OK',
  201: 'Accepted',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  409: 'Conflict',
  417: 'Expectation Failed',
  450: 'Not Implemented',
  500: 'Internal Server Error',
  560: 'Temporary Server Error',
} as const
export type CxmlStatus = keyof typeof statuses

export interface Envelope {
  payloadId: string
  now: Date
}

function documentOf({ payloadId, now }: Envelope, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE cXML SYSTEM "http://xml.cxml.org/schemas/cXML/1.2.050/cXML.dtd">
<cXML payloadID="${e(payloadId)}" timestamp="${now.toISOString()}">${content}</cXML>`
}

/** A response; `detail` is for the people who operate the other system. */
export function responseDocument(envelope: Envelope, code: CxmlStatus, { detail = '', content = '' } = {}): string {
  const status = `<Status code="${code}" text="${statuses[code]}"${detail ? ` xml:lang="en">${e(detail)}</Status>` : '/>'}`
  return documentOf(envelope, `<Response>${status}${content}</Response>`)
}

export function setupContent(startUrl: string): string {
  return `<PunchOutSetupResponse><StartPage><URL>${e(startUrl)}</URL></StartPage></PunchOutSetupResponse>`
}

export function profileContent({ now }: Envelope, url: string): string {
  const transactions = ['PunchOutSetupRequest', 'OrderRequest'].map(
    (name) => `<Transaction requestName="${name}"><URL>${e(url)}</URL></Transaction>`,
  )
  return `<ProfileResponse effectiveDate="${now.toISOString()}">${transactions.join('')}</ProfileResponse>`
}

export interface OrderMessage {
  buyerCookie: string
  identity: string
  shopHost: string
  currency: string
  language: string
  items: readonly BasketItem[]
  /** Goods and delivery without VAT. */
  total: string
  tax: string
}

/** The basket on its way back. Delivery is an item of its own, so that the order repeats it. */
export function orderMessage(envelope: Envelope, message: OrderMessage): string {
  const { currency, language } = message
  const money = (amount: string) => `<Money currency="${currency}">${amount}</Money>`
  const credential = (domain: string, identity: string) => `<Credential domain="${domain}"><Identity>${e(identity)}</Identity></Credential>`
  const items = message.items.map(
    (item) => `<ItemIn quantity="${item.quantity}"><ItemID><SupplierPartID>${e(item.partId)}</SupplierPartID></ItemID><ItemDetail>
<UnitPrice>${money(unitPriceOf(item))}</UnitPrice><Description xml:lang="${language}">${e(item.title)}</Description>
<UnitOfMeasure>EA</UnitOfMeasure><Classification domain="UNSPSC">${item.isService ? '78102203' : '27000000'}</Classification>${item.leadDays === null ? '' : `<LeadTime>${item.leadDays}</LeadTime>`}</ItemDetail></ItemIn>`,
  )
  return documentOf(
    envelope,
    `<Header><From>${credential('NetworkID', message.shopHost)}</From><To>${credential('NetworkID', message.identity)}</To>
<Sender>${credential('NetworkID', message.shopHost)}<UserAgent>Purlin</UserAgent></Sender></Header>
<Message><PunchOutOrderMessage><BuyerCookie>${e(message.buyerCookie)}</BuyerCookie>
<PunchOutOrderMessageHeader operationAllowed="edit"><Total>${money(message.total)}</Total>
<Tax>${money(message.tax)}<Description xml:lang="${language}">VAT</Description></Tax></PunchOutOrderMessageHeader>
${items.join('\n')}</PunchOutOrderMessage></Message>`,
  )
}
