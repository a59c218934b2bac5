import { wordsFor } from '@purlin/words/catalogues.ts'
import { decimal } from '#pricing'
import { exemptionOf, notesOf, paymentMeans, paymentTerms, pieceUnit, rateOf, typeCodeOf, unitPrice, vatNumberOf } from './en16931.ts'
import type { InvoiceDocument, InvoiceLine, Party } from './invoice.ts'
import type { VatCategory } from './tax-treatment.ts'
import { el, xmlDocument, type Xml } from './xml.ts'

/** EN 16931 as UBL 2.1: an Invoice, or a CreditNote. */
export function ubl(invoice: InvoiceDocument): string {
  const isCredit = typeCodeOf(invoice) === '381'
  const root = isCredit ? 'CreditNote' : 'Invoice'
  const { currency, totals, credits, orderId, reference, seller, buyer } = invoice
  const money = (name: string, amount: number): Xml | null => el(name, decimal(amount), { currencyID: currency })
  return xmlDocument(
    el(
      root,
      [
        el('cbc:CustomizationID', 'urn:cen.eu:en16931:2017'),
        el('cbc:ID', invoice.number),
        el('cbc:IssueDate', invoice.issuedOn),
        el(`cbc:${root}TypeCode`, typeCodeOf(invoice)),
        // A note for each would be one too many: UBL of EN 16931 allows a single one.
        el('cbc:Note', notesOf(invoice).join('\n')),
        el('cbc:DocumentCurrencyCode', currency),
        el('cbc:BuyerReference', reference?.costCentre ?? null),
        reference?.purchaseOrder
          ? el('cac:OrderReference', [el('cbc:ID', reference.purchaseOrder), el('cbc:SalesOrderID', orderId)])
          : el('cac:OrderReference', [el('cbc:ID', orderId)]),
        credits &&
          el('cac:BillingReference', [
            el('cac:InvoiceDocumentReference', [el('cbc:ID', credits.number), el('cbc:IssueDate', credits.issuedOn)]),
          ]),
        el('cac:AccountingSupplierParty', [party(invoice, seller)]),
        el('cac:AccountingCustomerParty', [party(invoice, buyer)]),
        delivery(invoice),
        el('cac:PaymentMeans', [el('cbc:PaymentMeansCode', paymentMeans(invoice))]),
        el('cac:PaymentTerms', [el('cbc:Note', paymentTerms(invoice))]),
        ...invoice.charges.map(({ net, category, rateBp }) =>
          allowance(true, money('cbc:Amount', net), ['FC', wordsFor(invoice.market)('invoice.pdf.delivery')], category, rateBp),
        ),
        el('cac:TaxTotal', [money('cbc:TaxAmount', totals.vat), ...invoice.vatRows.map((row) => subtotal(invoice, row, money))]),
        el('cac:LegalMonetaryTotal', [
          money('cbc:LineExtensionAmount', totals.lines),
          money('cbc:TaxExclusiveAmount', totals.net),
          money('cbc:TaxInclusiveAmount', totals.gross),
          money('cbc:ChargeTotalAmount', totals.charges),
          money('cbc:PrepaidAmount', totals.paid),
          money('cbc:PayableAmount', totals.due),
        ]),
        ...invoice.lines.map((line, index) => invoiceLine(invoice, line, index + 1, money)),
      ],
      {
        xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`,
        'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
        'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
      },
    ),
  )
}

type Amounts = (name: string, amount: number) => Xml | null

const vatScheme = el('cac:TaxScheme', [el('cbc:ID', 'VAT')])

function category(name: string, code: VatCategory, rateBp: number, exemption: { reason: string; code: string } | null = null): Xml | null {
  return el(name, [
    el('cbc:ID', code),
    el('cbc:Percent', rateOf(code, rateBp)),
    el('cbc:TaxExemptionReasonCode', exemption?.code ?? null),
    el('cbc:TaxExemptionReason', exemption?.reason ?? null),
    vatScheme,
  ])
}

function subtotal(invoice: InvoiceDocument, row: InvoiceDocument['vatRows'][number], money: Amounts): Xml | null {
  return el('cac:TaxSubtotal', [
    money('cbc:TaxableAmount', row.net),
    money('cbc:TaxAmount', row.vat),
    category('cac:TaxCategory', row.category, row.rateBp, exemptionOf(row.category, invoice)),
  ])
}

function allowance(
  isCharge: boolean,
  amount: Xml | null,
  [code, reason]: readonly [string, string],
  of: VatCategory | null,
  rateBp: number,
): Xml | null {
  return el('cac:AllowanceCharge', [
    el('cbc:ChargeIndicator', String(isCharge)),
    el('cbc:AllowanceChargeReasonCode', code),
    el('cbc:AllowanceChargeReason', reason),
    amount,
    of && category('cac:TaxCategory', of, rateBp),
  ])
}

function address(name: string, { line1, line2, city, postcode, country }: Party): Xml | null {
  return el(name, [
    el('cbc:StreetName', line1),
    el('cbc:AdditionalStreetName', line2),
    el('cbc:CityName', city),
    el('cbc:PostalZone', postcode),
    el('cac:Country', [el('cbc:IdentificationCode', country)]),
  ])
}

function party(invoice: InvoiceDocument, of: Party): Xml | null {
  const vatNumber = vatNumberOf(invoice, of)
  return el('cac:Party', [
    el('cbc:EndpointID', of.email, { schemeID: 'EM' }),
    el('cac:PartyName', [el('cbc:Name', of.name)]),
    address('cac:PostalAddress', of),
    el('cac:PartyTaxScheme', vatNumber ? [el('cbc:CompanyID', vatNumber), vatScheme] : null),
    el('cac:PartyLegalEntity', [el('cbc:RegistrationName', of.legalName), el('cbc:CompanyID', of.registration)]),
  ])
}

function delivery({ deliverTo, suppliedOn }: InvoiceDocument): Xml | null {
  return el('cac:Delivery', [
    el('cbc:ActualDeliveryDate', suppliedOn),
    deliverTo && el('cac:DeliveryLocation', [address('cac:Address', deliverTo)]),
    deliverTo && el('cac:DeliveryParty', [el('cac:PartyName', [el('cbc:Name', deliverTo.legalName)])]),
  ])
}

function invoiceLine(invoice: InvoiceDocument, line: InvoiceLine, number: number, money: Amounts): Xml | null {
  const isCredit = typeCodeOf(invoice) === '381'
  const discount = wordsFor(invoice.market)('invoice.pdf.discount-reason')
  return el(isCredit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine', [
    el('cbc:ID', String(number)),
    el(isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', String(line.quantity), { unitCode: pieceUnit }),
    money('cbc:LineExtensionAmount', line.net),
    line.discountNet > 0 ? allowance(false, money('cbc:Amount', line.discountNet), ['95', discount], null, 0) : null,
    el('cac:Item', [
      el('cbc:Name', line.title),
      el('cac:SellersItemIdentification', [el('cbc:ID', line.id)]),
      category('cac:ClassifiedTaxCategory', line.category, line.rateBp),
    ]),
    el('cac:Price', [el('cbc:PriceAmount', unitPrice(line), { currencyID: invoice.currency })]),
  ])
}
