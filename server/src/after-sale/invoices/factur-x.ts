import { wordsFor } from '@purlin/words/catalogues.ts'
import { decimal } from '#pricing'
import { exemptionOf, notesOf, paymentMeans, paymentTerms, pieceUnit, rateOf, typeCodeOf, unitPrice, vatNumberOf } from './en16931.ts'
import type { InvoiceDocument, InvoiceLine, Party } from './invoice.ts'
import type { VatCategory } from './tax-treatment.ts'
import { el, xmlDocument, type Xml } from './xml.ts'

/** EN 16931 as UN/CEFACT Cross Industry Invoice: the XML inside a Factur-X (ZUGFeRD) PDF. */
export function facturX(invoice: InvoiceDocument): string {
  return xmlDocument(
    el(
      'rsm:CrossIndustryInvoice',
      [
        el('rsm:ExchangedDocumentContext', [
          el('ram:GuidelineSpecifiedDocumentContextParameter', [el('ram:ID', 'urn:cen.eu:en16931:2017')]),
        ]),
        el('rsm:ExchangedDocument', [
          el('ram:ID', invoice.number),
          el('ram:TypeCode', typeCodeOf(invoice)),
          el('ram:IssueDateTime', [day('udt', invoice.issuedOn)]),
          ...notesOf(invoice).map((note) => el('ram:IncludedNote', [el('ram:Content', note)])),
        ]),
        el('rsm:SupplyChainTradeTransaction', [
          ...invoice.lines.map((line, index) => lineItem(invoice, line, index + 1)),
          agreement(invoice),
          delivery(invoice),
          settlement(invoice),
        ]),
      ],
      {
        'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
        'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
        'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
        'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
      },
    ),
  )
}

const day = (prefix: 'udt' | 'qdt', date: string): Xml | null => el(`${prefix}:DateTimeString`, date.replaceAll('-', ''), { format: '102' })

function tax(name: string, category: VatCategory, rateBp: number): Xml | null {
  return el(name, [el('ram:TypeCode', 'VAT'), el('ram:CategoryCode', category), el('ram:RateApplicablePercent', rateOf(category, rateBp))])
}

function allowance(isCharge: boolean, amount: number, [code, reason]: readonly [string, string], rest: Xml | null): Xml | null {
  return el('ram:SpecifiedTradeAllowanceCharge', [
    el('ram:ChargeIndicator', [el('udt:Indicator', String(isCharge))]),
    el('ram:ActualAmount', decimal(amount)),
    el('ram:ReasonCode', code),
    el('ram:Reason', reason),
    rest,
  ])
}

function lineItem({ market }: InvoiceDocument, line: InvoiceLine, number: number): Xml | null {
  const discount = wordsFor(market)('invoice.pdf.discount-reason')
  return el('ram:IncludedSupplyChainTradeLineItem', [
    el('ram:AssociatedDocumentLineDocument', [el('ram:LineID', String(number))]),
    el('ram:SpecifiedTradeProduct', [el('ram:SellerAssignedID', line.id), el('ram:Name', line.title)]),
    el('ram:SpecifiedLineTradeAgreement', [el('ram:NetPriceProductTradePrice', [el('ram:ChargeAmount', unitPrice(line))])]),
    el('ram:SpecifiedLineTradeDelivery', [el('ram:BilledQuantity', String(line.quantity), { unitCode: pieceUnit })]),
    el('ram:SpecifiedLineTradeSettlement', [
      tax('ram:ApplicableTradeTax', line.category, line.rateBp),
      line.discountNet > 0 ? allowance(false, line.discountNet, ['95', discount], null) : null,
      el('ram:SpecifiedTradeSettlementLineMonetarySummation', [el('ram:LineTotalAmount', decimal(line.net))]),
    ]),
  ])
}

function postalAddress({ postcode, line1, line2, city, country }: Party): Xml | null {
  return el('ram:PostalTradeAddress', [
    el('ram:PostcodeCode', postcode),
    el('ram:LineOne', line1),
    el('ram:LineTwo', line2),
    el('ram:CityName', city),
    el('ram:CountryID', country),
  ])
}

function party(name: string, of: Party, vatNumber: string | null): Xml | null {
  return el(name, [
    el('ram:Name', of.legalName),
    el('ram:SpecifiedLegalOrganization', [
      el('ram:ID', of.registration),
      el('ram:TradingBusinessName', of.name === of.legalName ? null : of.name),
    ]),
    postalAddress(of),
    el('ram:URIUniversalCommunication', [el('ram:URIID', of.email, { schemeID: 'EM' })]),
    el('ram:SpecifiedTaxRegistration', [el('ram:ID', vatNumber, { schemeID: 'VA' })]),
  ])
}

function agreement(invoice: InvoiceDocument): Xml | null {
  const { seller, buyer, orderId, reference } = invoice
  return el('ram:ApplicableHeaderTradeAgreement', [
    el('ram:BuyerReference', reference?.costCentre ?? null),
    party('ram:SellerTradeParty', seller, vatNumberOf(invoice, seller)),
    party('ram:BuyerTradeParty', buyer, vatNumberOf(invoice, buyer)),
    reference?.purchaseOrder ? el('ram:SellerOrderReferencedDocument', [el('ram:IssuerAssignedID', orderId)]) : null,
    el('ram:BuyerOrderReferencedDocument', [el('ram:IssuerAssignedID', reference?.purchaseOrder || orderId)]),
  ])
}

function delivery({ deliverTo, suppliedOn }: InvoiceDocument): Xml | null {
  return el('ram:ApplicableHeaderTradeDelivery', [
    deliverTo && el('ram:ShipToTradeParty', [el('ram:Name', deliverTo.legalName), postalAddress(deliverTo)]),
    el('ram:ActualDeliverySupplyChainEvent', [el('ram:OccurrenceDateTime', [day('udt', suppliedOn)])]),
  ])
}

function settlement(invoice: InvoiceDocument): Xml | null {
  const { currency, vatRows, charges, totals, credits, market } = invoice
  return el('ram:ApplicableHeaderTradeSettlement', [
    el('ram:InvoiceCurrencyCode', currency),
    el('ram:SpecifiedTradeSettlementPaymentMeans', [el('ram:TypeCode', paymentMeans(invoice))]),
    ...vatRows.map(({ category, rateBp, net, vat }) => {
      const exemption = exemptionOf(category, invoice)
      return el('ram:ApplicableTradeTax', [
        el('ram:CalculatedAmount', decimal(vat)),
        el('ram:TypeCode', 'VAT'),
        el('ram:ExemptionReason', exemption?.reason ?? null),
        el('ram:BasisAmount', decimal(net)),
        el('ram:CategoryCode', category),
        el('ram:ExemptionReasonCode', exemption?.code ?? null),
        el('ram:RateApplicablePercent', rateOf(category, rateBp)),
      ])
    }),
    ...charges.map(({ net, category, rateBp }) =>
      allowance(true, net, ['FC', wordsFor(market)('invoice.pdf.delivery')], tax('ram:CategoryTradeTax', category, rateBp)),
    ),
    el('ram:SpecifiedTradePaymentTerms', [el('ram:Description', paymentTerms(invoice))]),
    el('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      el('ram:LineTotalAmount', decimal(totals.lines)),
      el('ram:ChargeTotalAmount', decimal(totals.charges)),
      el('ram:TaxBasisTotalAmount', decimal(totals.net)),
      el('ram:TaxTotalAmount', decimal(totals.vat), { currencyID: currency }),
      el('ram:GrandTotalAmount', decimal(totals.gross)),
      el('ram:TotalPrepaidAmount', decimal(totals.paid)),
      el('ram:DuePayableAmount', decimal(totals.due)),
    ]),
    credits &&
      el('ram:InvoiceReferencedDocument', [
        el('ram:IssuerAssignedID', credits.number),
        el('ram:FormattedIssueDateTime', [day('qdt', credits.issuedOn)]),
      ]),
  ])
}

/** The metadata by which programs recognise the attachment; PDF/A wants the schema described, too. */
export const facturXMetadata = `
<rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
  <fx:DocumentType>INVOICE</fx:DocumentType>
  <fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>
  <fx:Version>1.0</fx:Version>
  <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
  xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
  <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
    <pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>fx</pdfaSchema:prefix>
    <pdfaSchema:property><rdf:Seq>
${['DocumentFileName', 'DocumentType', 'Version', 'ConformanceLevel']
  .map(
    (name) => `      <rdf:li rdf:parseType="Resource">
        <pdfaProperty:name>${name}</pdfaProperty:name>
        <pdfaProperty:valueType>Text</pdfaProperty:valueType>
        <pdfaProperty:category>external</pdfaProperty:category>
        <pdfaProperty:description>${name} of the embedded XML</pdfaProperty:description>
      </rdf:li>`,
  )
  .join('\n')}
    </rdf:Seq></pdfaSchema:property>
  </rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`
