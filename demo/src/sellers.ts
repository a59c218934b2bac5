import { categories } from './categories.ts'
import { readData } from './grammar.ts'
import { inFive, languages, slugOf, type InFive, type Language, type Market } from './languages.ts'
import { chance } from './random.ts'
import { inventVatNumber } from './vat-number.ts'

interface SellerFacts {
  name: string
  country: string
  city: string
  region: string
  postcode: string
  street: string
  since: number
  departments: string[]
  markets: Market[]
  /** Sells only to professionals. */
  b2b?: boolean
  /** Has lower prices for professionals. */
  pro?: boolean
  /** Stores goods in the marketplace's warehouse. */
  mmf?: boolean
  /** Sells second-hand goods. */
  outlet?: boolean
}

export interface DemoSeller extends SellerFacts {
  id: number
  slug: string
  legalName: string
  vatNumber: string
  registration: string
  address: { line1: string; postcode: string; city: string; region: string; country: string }
  email: string
  phone: string
  rating: number
  ratingCount: number
  responseHours: number
  commissionBp: number
  freeDeliveryFrom: Partial<Record<Market, number>>
  about: InFive
  returnTerms: InFive
  /** The seller's price level relative to the others'. */
  priceFactor: number
}

const legalForms: Record<string, string> = {
  FR: 'SAS',
  DE: 'GmbH',
  ES: 'S.L.',
  IT: 'S.r.l.',
  GB: 'Ltd',
  BE: 'SRL',
  PL: 'Sp. z o.o.',
  NL: 'B.V.',
}

/** Numbers reserved for films and examples where a country has them, unassigned ones elsewhere. */
const phones: Record<string, (n: number) => string> = {
  FR: (n) => `+33 1 99 00 ${two(n)} ${two(n + 40)}`,
  DE: (n) => `+49 30 23125 ${100 + n}`,
  ES: (n) => `+34 900 000 ${100 + n}`,
  IT: (n) => `+39 06 0000 0${100 + n}`,
  GB: (n) => `+44 1632 960${100 + n}`,
  BE: (n) => `+32 2 000 00 ${two(n)}`,
  PL: (n) => `+48 22 000 00 ${two(n)}`,
  NL: (n) => `+31 20 000 00 ${two(n)}`,
}
const two = (n: number) => String(n % 100).padStart(2, '0')

function registrationOf({ country, city }: SellerFacts, number: number, vatNumber: string): string {
  switch (country) {
    case 'FR':
      return `RCS ${city} ${vatNumber.slice(4).replace(/(\d{3})(?=\d)/g, '$1 ')}`
    case 'DE':
      return `HRB ${990_000 + number}, Amtsgericht ${city}`
    case 'ES':
      return `Registro Mercantil de ${city}, hoja ${number + 1}`
    case 'IT':
      return `REA ${city.slice(0, 2).toUpperCase()}-${9_900_000 + number}`
    case 'GB':
      return `Companies House 0000${1000 + number}`
    case 'BE':
      return `RPM ${city} ${vatNumber.slice(2)}`
    case 'PL':
      return `KRS 00000${10_000 + number}`
    default:
      return `KvK 0000${1000 + number}`
  }
}

const countryNames = Object.fromEntries(
  languages.map((language) => [language, new Intl.DisplayNames([language], { type: 'region' })]),
) as Record<Language, Intl.DisplayNames>
const lists = Object.fromEntries(languages.map((language) => [language, new Intl.ListFormat(language, { type: 'conjunction' })])) as Record<
  Language,
  Intl.ListFormat
>
const departmentNames = new Map(categories.filter(({ level }) => level === 0).map(({ department, names }) => [department, names]))

type Facts = { name: string; place: string; goods: string; since: number; hours: number }
const abouts: Record<Language, (of: Facts) => string> = {
  en: (of) =>
    `${of.name} has been trading in ${of.place} since ${of.since}. Our range: ${of.goods}. We answer questions within ${of.hours} hours on working days.`,
  fr: (of) =>
    `${of.name} est installé à ${of.place} depuis ${of.since}. Nos rayons : ${of.goods}. Nous répondons à vos questions sous ${of.hours} heures les jours ouvrés.`,
  de: (of) =>
    `${of.name} gibt es seit ${of.since} in ${of.place}. Unser Sortiment: ${of.goods}. Fragen beantworten wir an Werktagen innerhalb von ${of.hours} Stunden.`,
  es: (of) =>
    `${of.name} trabaja en ${of.place} desde ${of.since}. Nuestro surtido: ${of.goods}. Respondemos a sus preguntas en ${of.hours} horas los días laborables.`,
  it: (of) =>
    `${of.name} è presente a ${of.place} dal ${of.since}. Il nostro assortimento: ${of.goods}. Rispondiamo alle domande entro ${of.hours} ore nei giorni lavorativi.`,
}
const terms: Record<Language, (days: number, pays: boolean) => string> = {
  en: (days, pays) =>
    `In addition to any statutory right to cancel, you may return unused goods within ${days} days of receiving them, without giving a reason. ${pays ? 'We pay for the return.' : 'You pay for the return unless the goods are faulty.'} We refund the price and the standard delivery within 14 days.`,
  fr: (days, pays) =>
    `En plus du droit légal de rétractation éventuel, vous pouvez retourner les articles non utilisés sous ${days} jours après réception, sans motif. ${pays ? 'Le retour est à nos frais.' : 'Le retour est à vos frais, sauf défaut.'} Nous remboursons le prix et la livraison standard sous 14 jours.`,
  de: (days, pays) =>
    `Zusätzlich zu einem gesetzlichen Widerrufsrecht können Sie unbenutzte Ware innerhalb von ${days} Tagen nach Erhalt ohne Angabe von Gründen zurückgeben. ${pays ? 'Die Rücksendung zahlen wir.' : 'Die Rücksendung zahlen Sie, außer bei Mängeln.'} Preis und Standardversand erstatten wir innerhalb von 14 Tagen.`,
  es: (days, pays) =>
    `Además del derecho legal de desistimiento que pueda corresponderle, puede devolver los artículos sin usar en ${days} días desde la recepción, sin dar motivos. ${pays ? 'La devolución corre de nuestra cuenta.' : 'La devolución corre de su cuenta, salvo defecto.'} Reembolsamos el precio y el envío estándar en 14 días.`,
  it: (days, pays) =>
    `Oltre all’eventuale diritto di recesso previsto dalla legge, può restituire gli articoli non usati entro ${days} giorni dalla consegna, senza motivazione. ${pays ? 'Il reso è a nostro carico.' : 'Il reso è a suo carico, salvo difetti.'} Rimborsiamo il prezzo e la spedizione standard entro 14 giorni.`,
}

export const sellers: DemoSeller[] = readData<SellerFacts[]>('sellers.json').map((facts, index) => {
  const id = index + 1
  const roll = (salt: number) => chance(index, salt, 900)
  const slug = slugOf(facts.name, facts.country === 'DE' ? 'de' : 'en')
  const vatNumber = inventVatNumber(facts.country, 1000 + index * 37)
  const responseHours = [4, 8, 12, 24, 48][Math.floor(roll(1) * 5)] as number
  const returnDays = [14, 30, 30, 60][Math.floor(roll(2) * 4)] as number
  const paysReturn = roll(3) < 0.4
  const from = [3900, 4900, 5900, 7900, 9900][Math.floor(roll(4) * 5)] as number
  return {
    ...facts,
    id,
    slug,
    legalName: `${facts.name} ${legalForms[facts.country]}`,
    vatNumber,
    registration: registrationOf(facts, index, vatNumber),
    address: { line1: facts.street, postcode: facts.postcode, city: facts.city, region: facts.region, country: facts.country },
    email: `service@${slug}.example`,
    phone: (phones[facts.country] as (n: number) => string)(index),
    rating: Math.round((3.6 + 1.35 * roll(5)) * 10) / 10,
    ratingCount: 12 + Math.floor(roll(6) ** 2 * 140),
    responseHours,
    commissionBp: 800 + 100 * Math.floor(roll(7) * 8),
    // Some never deliver free, and abroad the threshold is higher.
    freeDeliveryFrom:
      roll(8) < 0.2
        ? {}
        : Object.fromEntries(facts.markets.map((market) => [market, market.toUpperCase() === facts.country ? from : from * 2])),
    about: inFive((language) =>
      abouts[language]({
        name: facts.name,
        place: `${facts.city} (${countryNames[language].of(facts.country)})`,
        goods: lists[language].format(
          facts.departments.slice(0, 4).map((department) => departmentNames.get(department)?.[language] ?? department),
        ),
        since: facts.since,
        hours: responseHours,
      }),
    ),
    returnTerms: inFive((language) => terms[language](returnDays, paysReturn)),
    priceFactor: 0.95 + 0.12 * roll(9),
  }
})

const byField = new Map<string, DemoSeller[]>()

/** New goods of a department in a market: all sellers of them. */
export function sellersOf(department: string, market: Market): DemoSeller[] {
  const key = `${department}|${market}`
  let found = byField.get(key)
  if (!found) {
    found = sellers.filter((seller) => !seller.outlet && seller.markets.includes(market) && seller.departments.includes(department))
    byField.set(key, found)
  }
  return found
}

/** Second-hand goods: the outlets, and in gb the refurbishing tool yard. */
export function outletsOf(department: string, market: Market): DemoSeller[] {
  const outlets = sellers.filter((seller) => seller.outlet && seller.markets.includes(market) && seller.departments.includes(department))
  return outlets.length > 0
    ? outlets
    : sellersOf(department, market)
        .filter((seller) => !seller.b2b)
        .slice(0, 1)
}
