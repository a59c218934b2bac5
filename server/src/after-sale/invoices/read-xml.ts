import assert from 'node:assert/strict'
import type { Model, ModelParty } from './en16931-rules.ts'

/** For tests: a reader of our XML that refuses anything not well-formed, and the semantic model of both syntaxes. */

export interface Node {
  name: string
  attributes: Record<string, string>
  children: Node[]
  text: string
}

const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot);/g, (_all, name: 'amp' | 'lt' | 'gt' | 'quot') => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name])

export function readXml(xml: string): Node {
  const [declaration = ''] = /^<\?xml [^?]*\?>\s*/.exec(xml) ?? []
  assert.ok(declaration, 'an XML declaration')
  const root: Node = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  for (const [token] of xml
    .slice(declaration.length)
    .trim()
    .matchAll(/<[^>]*>|[^<]+/g)) {
    const here = open.at(-1)
    assert.ok(here)
    if (token.startsWith('</')) {
      assert.equal(token.slice(2, -1), here.name)
      open.pop()
    } else if (token.startsWith('<')) {
      const [, name = '', rest = ''] = /^<([\w:]+)((?:\s+[\w:]+="[^"<]*")*)>$/.exec(token) ?? []
      assert.ok(name, `a well-formed tag: ${token}`)
      const attributes = Object.fromEntries(
        [...rest.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decode(value)]),
      )
      const node = { name, attributes, children: [], text: '' }
      here.children.push(node)
      open.push(node)
    } else {
      assert.doesNotMatch(token, /&(?!(?:amp|lt|gt|quot);)|>/)
      here.text += decode(token)
    }
  }
  assert.equal(open.length, 1, 'every tag is closed')
  const [document] = root.children
  assert.ok(document)
  return document
}

/** Nodes at a path of names: "cac:Party/cbc:Name". */
export function all(node: Node | undefined, path: string): Node[] {
  return path
    .split('/')
    .reduce<Node[]>((nodes, name) => nodes.flatMap(({ children }) => children.filter((child) => child.name === name)), node ? [node] : [])
}
const textAt = (node: Node | undefined, path: string): string => all(node, path)[0]?.text ?? ''
const numberAt = (node: Node | undefined, path: string): number => Number(textAt(node, path) || '0')
/** Null without an element: that is not a rate of zero. */
const rateAt = (node: Node | undefined, path: string): number | null => (all(node, path).length === 0 ? null : numberAt(node, path))
const date = (compact: string): string => compact.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')

export function modelOfUbl(xml: string): Model {
  const doc = readXml(xml)
  const root = doc.name
  const of = (role: string): ModelParty => {
    const [party] = all(doc, `cac:Accounting${role}Party/cac:Party`)
    return {
      name: textAt(party, 'cac:PartyLegalEntity/cbc:RegistrationName'),
      registration: textAt(party, 'cac:PartyLegalEntity/cbc:CompanyID'),
      country: textAt(party, 'cac:PostalAddress/cac:Country/cbc:IdentificationCode'),
      vatNumber: textAt(party, 'cac:PartyTaxScheme/cbc:CompanyID'),
    }
  }
  const total = (name: string) => numberAt(doc, `cac:LegalMonetaryTotal/cbc:${name}`)
  const quantity = root === 'Invoice' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity'
  return {
    number: textAt(doc, 'cbc:ID'),
    issuedOn: textAt(doc, 'cbc:IssueDate'),
    typeCode: textAt(doc, `cbc:${root}TypeCode`),
    currency: textAt(doc, 'cbc:DocumentCurrencyCode'),
    seller: of('Supplier'),
    buyer: of('Customer'),
    deliveredOn: textAt(doc, 'cac:Delivery/cbc:ActualDeliveryDate'),
    deliverToCountry: textAt(doc, 'cac:Delivery/cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode'),
    paymentTerms: textAt(doc, 'cac:PaymentTerms/cbc:Note'),
    precedingNumber: textAt(doc, 'cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID'),
    lines: all(doc, `cac:${root}Line`).map((line) => ({
      id: textAt(line, 'cbc:ID'),
      name: textAt(line, 'cac:Item/cbc:Name'),
      quantity: numberAt(line, quantity),
      price: numberAt(line, 'cac:Price/cbc:PriceAmount'),
      net: numberAt(line, 'cbc:LineExtensionAmount'),
      allowance: numberAt(line, 'cac:AllowanceCharge/cbc:Amount'),
      category: textAt(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:ID'),
      rate: rateAt(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:Percent'),
    })),
    charges: all(doc, 'cac:AllowanceCharge').map((charge) => ({
      amount: numberAt(charge, 'cbc:Amount'),
      category: textAt(charge, 'cac:TaxCategory/cbc:ID'),
      rate: rateAt(charge, 'cac:TaxCategory/cbc:Percent'),
      reason: textAt(charge, 'cbc:AllowanceChargeReason'),
    })),
    vat: all(doc, 'cac:TaxTotal/cac:TaxSubtotal').map((row) => ({
      base: numberAt(row, 'cbc:TaxableAmount'),
      tax: numberAt(row, 'cbc:TaxAmount'),
      category: textAt(row, 'cac:TaxCategory/cbc:ID'),
      rate: rateAt(row, 'cac:TaxCategory/cbc:Percent'),
      reason: textAt(row, 'cac:TaxCategory/cbc:TaxExemptionReason'),
      reasonCode: textAt(row, 'cac:TaxCategory/cbc:TaxExemptionReasonCode'),
    })),
    totals: {
      lines: total('LineExtensionAmount'),
      charges: total('ChargeTotalAmount'),
      net: total('TaxExclusiveAmount'),
      vat: numberAt(doc, 'cac:TaxTotal/cbc:TaxAmount'),
      gross: total('TaxInclusiveAmount'),
      paid: total('PrepaidAmount'),
      due: total('PayableAmount'),
    },
  }
}

export function modelOfCii(xml: string): Model {
  const doc = readXml(xml)
  const [trade] = all(doc, 'rsm:SupplyChainTradeTransaction')
  const [agreement] = all(trade, 'ram:ApplicableHeaderTradeAgreement')
  const [delivery] = all(trade, 'ram:ApplicableHeaderTradeDelivery')
  const [settlement] = all(trade, 'ram:ApplicableHeaderTradeSettlement')
  const of = (name: string): ModelParty => {
    const [party] = all(agreement, name)
    return {
      name: textAt(party, 'ram:Name'),
      registration: textAt(party, 'ram:SpecifiedLegalOrganization/ram:ID'),
      country: textAt(party, 'ram:PostalTradeAddress/ram:CountryID'),
      vatNumber: textAt(party, 'ram:SpecifiedTaxRegistration/ram:ID'),
    }
  }
  const total = (name: string) => numberAt(settlement, `ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:${name}`)
  const line = 'ram:SpecifiedLineTradeSettlement'
  return {
    number: textAt(doc, 'rsm:ExchangedDocument/ram:ID'),
    issuedOn: date(textAt(doc, 'rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString')),
    typeCode: textAt(doc, 'rsm:ExchangedDocument/ram:TypeCode'),
    currency: textAt(settlement, 'ram:InvoiceCurrencyCode'),
    seller: of('ram:SellerTradeParty'),
    buyer: of('ram:BuyerTradeParty'),
    deliveredOn: date(textAt(delivery, 'ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString')),
    deliverToCountry: textAt(delivery, 'ram:ShipToTradeParty/ram:PostalTradeAddress/ram:CountryID'),
    paymentTerms: textAt(settlement, 'ram:SpecifiedTradePaymentTerms/ram:Description'),
    precedingNumber: textAt(settlement, 'ram:InvoiceReferencedDocument/ram:IssuerAssignedID'),
    lines: all(trade, 'ram:IncludedSupplyChainTradeLineItem').map((item) => ({
      id: textAt(item, 'ram:AssociatedDocumentLineDocument/ram:LineID'),
      name: textAt(item, 'ram:SpecifiedTradeProduct/ram:Name'),
      quantity: numberAt(item, 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity'),
      price: numberAt(item, 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount'),
      net: numberAt(item, `${line}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`),
      allowance: numberAt(item, `${line}/ram:SpecifiedTradeAllowanceCharge/ram:ActualAmount`),
      category: textAt(item, `${line}/ram:ApplicableTradeTax/ram:CategoryCode`),
      rate: rateAt(item, `${line}/ram:ApplicableTradeTax/ram:RateApplicablePercent`),
    })),
    charges: all(settlement, 'ram:SpecifiedTradeAllowanceCharge').map((charge) => ({
      amount: numberAt(charge, 'ram:ActualAmount'),
      category: textAt(charge, 'ram:CategoryTradeTax/ram:CategoryCode'),
      rate: rateAt(charge, 'ram:CategoryTradeTax/ram:RateApplicablePercent'),
      reason: textAt(charge, 'ram:Reason'),
    })),
    vat: all(settlement, 'ram:ApplicableTradeTax').map((row) => ({
      base: numberAt(row, 'ram:BasisAmount'),
      tax: numberAt(row, 'ram:CalculatedAmount'),
      category: textAt(row, 'ram:CategoryCode'),
      rate: rateAt(row, 'ram:RateApplicablePercent'),
      reason: textAt(row, 'ram:ExemptionReason'),
      reasonCode: textAt(row, 'ram:ExemptionReasonCode'),
    })),
    totals: {
      lines: total('LineTotalAmount'),
      charges: total('ChargeTotalAmount'),
      net: total('TaxBasisTotalAmount'),
      vat: total('TaxTotalAmount'),
      gross: total('GrandTotalAmount'),
      paid: total('TotalPrepaidAmount'),
      due: total('DuePayableAmount'),
    },
  }
}
