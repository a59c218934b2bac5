import type { proTypes, suspectedProLevels } from './segments.ts'

/**
 * Signals of a trade, all from data the customer gave us for delivery and invoices. Page visits are not a signal: following
 * them would need consent to personalised advertising, which the shop does not ask for.
 */
export interface ProSignals {
  email: string
  /** They act for a company already. */
  isMember: boolean
  /** A VAT number is on one of their orders, or with their tax information. */
  gaveVatNumber: boolean
  /** A company name is on one of their orders. */
  gaveCompany: boolean
  ordersInYear: number
  /** Orders of the last year with a trade's quantity of one article. */
  tradeOrdersInYear: number
}

/** From this quantity of one article on a line is a trade's. */
export const tradeQuantity = 20

const mailboxProviders = new Set(
  `gmail googlemail outlook hotmail live msn yahoo ymail icloud me mac aol proton protonmail gmx web t-online freenet posteo mailbox orange wanadoo
  free laposte sfr neuf bbox libero virgilio alice tiscali tim telefonica terra btinternet sky virginmedia talktalk ntlworld mail zoho fastmail`.split(
    /\s+/,
  ),
)
const roleMailboxes =
  /^(?:info|office|contact|contacto|kontakt|contatti|buero|amministrazione|administracion|compta|comptabilite|facturacion|fatture|rechnung|accounts|orders|achats|compras|acquisti|einkauf|purchasing)$/
const tradeWords =
  /(?:ltd|limited|gmbh|sarl|srl|builder|building|construc|costruzion|plumb|plomb|electric|elektr|elettric|idraul|fontaner|carpent|schreiner|tischler|menuis|falegnam|maler|peintur|handwerk|sanitaer|sanitär|heizung|dachdecker|renov|reform|artisan|impianti|bau$)/

/** Does the address belong to a company rather than to a person? A mailbox provider's domain never does. */
export function isCompanyEmail(email: string): boolean {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at).toLowerCase()
  const labels = email
    .slice(at + 1)
    .toLowerCase()
    .split('.')
  if (at < 1 || labels.length < 2 || mailboxProviders.has(labels[0] ?? '')) return false
  return roleMailboxes.test(local) || labels.slice(0, -1).some((label) => label.split('-').some((word) => tradeWords.test(word)))
}

type Level = (typeof suspectedProLevels)[number]

/** Level of suspicion. Members are professionals, which is no suspicion. */
export function suspectedProLevel({
  email,
  isMember,
  gaveVatNumber,
  gaveCompany,
  ordersInYear,
  tradeOrdersInYear: trade,
}: ProSignals): Level {
  if (isMember) return 'not-suspected-pro'
  const points =
    (gaveVatNumber ? 4 : 0) +
    (isCompanyEmail(email) ? 2 : 0) +
    (gaveCompany ? 2 : 0) +
    (trade >= 3 ? 3 : trade > 0 ? 1 : 0) +
    (ordersInYear >= 12 ? 1 : 0)
  if (points >= 6) return 'very-high-suspected-pro'
  if (points >= 4) return 'high-suspected-pro'
  return points >= 2 ? 'medium-suspected-pro' : 'not-suspected-pro'
}

/** Quantities are those of a building site; a company's details without them are those of an office. */
export function suspectedProType(signals: ProSignals): (typeof proTypes)[number] {
  if (suspectedProLevel(signals) === 'not-suspected-pro') return 'unknown'
  if (signals.tradeOrdersInYear > 0) return 'construction'
  return signals.gaveVatNumber || signals.gaveCompany || isCompanyEmail(signals.email) ? 'corporate' : 'unknown'
}
