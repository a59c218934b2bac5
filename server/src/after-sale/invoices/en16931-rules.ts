/**
 * Business rules of EN 16931 that concern our invoices, over the semantic model read back from the XML, so that both
 * syntaxes are checked by the same rules. The standard's Schematron is not among our dependencies.
 */

/** The semantic model, by the terms of the standard. */
export interface Model {
  number: string
  issuedOn: string
  typeCode: string
  currency: string
  seller: ModelParty
  buyer: ModelParty
  deliveredOn: string
  deliverToCountry: string
  paymentTerms: string
  precedingNumber: string
  lines: ModelLine[]
  charges: { amount: number; category: string; rate: number | null; reason: string }[]
  vat: { base: number; tax: number; category: string; rate: number | null; reason: string; reasonCode: string }[]
  totals: { lines: number; charges: number; net: number; vat: number; gross: number; paid: number; due: number }
}
export interface ModelParty {
  name: string
  country: string
  vatNumber: string
  registration: string
}
export interface ModelLine {
  id: string
  name: string
  quantity: number
  price: number
  net: number
  allowance: number
  category: string
  /** Null outside the scope of VAT. */
  rate: number | null
}

const near = (a: number, b: number, by = 0.005) => Math.abs(a - b) <= by
const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)

/** The rules that a document breaks, by their ids. */
export function brokenRules(model: Model): string[] {
  const { lines, charges, vat, totals, seller, buyer } = model
  const broken: string[] = []
  const rule = (id: string, holds: boolean) => void (holds || broken.push(id))
  rule('BR-02', model.number !== '')
  rule('BR-03', /^\d{4}-\d\d-\d\d$/.test(model.issuedOn))
  rule('BR-04', ['380', '381'].includes(model.typeCode))
  rule('BR-05', ['EUR', 'GBP'].includes(model.currency))
  rule('BR-06', seller.name !== '')
  rule('BR-07', buyer.name !== '')
  rule('BR-09', /^[A-Z]{2}$/.test(seller.country))
  rule('BR-11', /^[A-Z]{2}$/.test(buyer.country))
  rule('BR-16', lines.length > 0)
  rule('BR-CO-26', seller.registration !== '' || seller.vatNumber !== '')
  rule('BR-55', model.typeCode !== '381' || model.precedingNumber !== '')
  for (const line of lines) {
    rule('BR-21', line.id !== '')
    rule('BR-22', line.quantity > 0)
    rule('BR-25', line.name !== '')
    rule('BR-27', line.price >= 0)
    rule('BR-41', line.allowance >= 0)
    // Rounding of the unit price to six decimals.
    rule('PEPPOL-EN16931-R120', near(line.net, line.price * line.quantity - line.allowance, 0.02))
    rule('BR-CO-4', ['S', 'Z', 'K', 'AE', 'O'].includes(line.category))
  }
  rule('BR-CO-10', near(totals.lines, sum(lines.map(({ net }) => net))))
  rule('BR-CO-12', near(totals.charges, sum(charges.map(({ amount }) => amount))))
  rule('BR-CO-13', near(totals.net, totals.lines + totals.charges))
  rule('BR-CO-14', near(totals.vat, sum(vat.map(({ tax }) => tax))))
  rule('BR-CO-15', near(totals.gross, totals.net + totals.vat))
  rule('BR-CO-16', near(totals.due, totals.gross - totals.paid))
  rule('BR-CO-18', vat.length > 0)
  rule('BR-CO-25', totals.due <= 0 || model.paymentTerms !== '')
  for (const charge of charges) rule('BR-38', charge.reason !== '')
  for (const { category, rate, base, tax, reason, reasonCode } of vat) {
    const mine = <Each extends { category: string; rate: number | null }>(all: readonly Each[]) =>
      all.filter((each) => each.category === category && each.rate === rate)
    rule('BR-S-08', near(base, sum(mine(lines).map(({ net }) => net)) + sum(mine(charges).map(({ amount }) => amount))))
    // The tolerance of the standard's own Schematron: VAT is taken line by line from prices that include it.
    rule('BR-CO-17', Math.abs(tax - (base * (rate ?? 0)) / 100) < 1)
    if (category === 'S') rule('BR-S-05', Number(rate) > 0 && reason === '' && reasonCode === '')
    if (category === 'S' || category === 'Z') rule('BR-S-02', seller.vatNumber !== '')
    if (category === 'Z') rule('BR-Z-05', rate === 0 && tax === 0 && reason === '')
    if (category === 'K' || category === 'AE') {
      rule(`BR-${category}-09`, rate === 0 && tax === 0)
      rule(`BR-${category}-10`, reason !== '' && reasonCode !== '')
      rule(`BR-${category}-02`, seller.vatNumber !== '' && buyer.vatNumber !== '')
    }
    if (category === 'O') {
      rule('BR-O-02', seller.vatNumber === '' && buyer.vatNumber === '')
      rule('BR-O-05', rate === null && lines.every((line) => line.rate === null))
      rule('BR-O-09', tax === 0)
      rule('BR-O-10', reason !== '' && reasonCode === 'VATEX-EU-O')
      rule('BR-O-11', vat.length === 1)
    } else rule('BR-48', rate !== null)
    if (category === 'K') {
      rule('BR-IC-11', model.deliveredOn !== '')
      rule('BR-IC-12', model.deliverToCountry !== '')
    }
  }
  for (const { category, rate } of [...lines, ...charges])
    rule(
      'BR-CO-18',
      vat.some((row) => row.category === category && row.rate === rate),
    )
  return [...new Set(broken)]
}
