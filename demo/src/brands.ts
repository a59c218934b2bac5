import { brandsByField, namedBrands, type Family } from './grammar.ts'
import { inFive, slugOf, type InFive } from './languages.ts'
import { chance, pick } from './random.ts'

export interface DemoBrand {
  id: number
  slug: string
  name: string
  tier: 1 | 2 | 3
  country: string
  texts: InFive
  /** The manufacturer's, as required by the product safety regulation. */
  maker: { name: string; address: string; email: string }
}

const homes = [
  { country: 'FR', legal: 'SAS', address: 'Rue des Ateliers 12, 69000 Lyon, France' },
  { country: 'DE', legal: 'GmbH', address: 'Werkstraße 8, 42000 Wuppertal, Germany' },
  { country: 'IT', legal: 'S.r.l.', address: 'Via delle Officine 21, 24100 Bergamo, Italy' },
  { country: 'ES', legal: 'S.L.', address: 'Calle del Taller 5, 50000 Zaragoza, Spain' },
  { country: 'GB', legal: 'Ltd', address: '4 Foundry Lane, Sheffield S1 1AA, United Kingdom' },
  { country: 'NL', legal: 'B.V.', address: 'Smidseweg 3, 5600 AA Eindhoven, Netherlands' },
  { country: 'SE', legal: 'AB', address: 'Verkstadsgatan 9, 550 00 Jönköping, Sweden' },
] as const

const sentences: Record<1 | 2 | 3, Record<keyof InFive, (name: string) => string>> = {
  1: {
    en: (name) => `${name} makes equipment for people who use it every day, with spare parts for ten years.`,
    fr: (name) => `${name} conçoit du matériel pour un usage quotidien, avec des pièces détachées pendant dix ans.`,
    de: (name) => `${name} baut Ausrüstung für den täglichen Einsatz, mit Ersatzteilen für zehn Jahre.`,
    es: (name) => `${name} fabrica equipos para el uso diario, con recambios durante diez años.`,
    it: (name) => `${name} produce attrezzature per l'uso quotidiano, con ricambi per dieci anni.`,
  },
  2: {
    en: (name) => `${name} stands for sound quality at a fair price, for home and trade.`,
    fr: (name) => `${name}, la qualité à un prix juste, pour la maison et les artisans.`,
    de: (name) => `${name} steht für solide Qualität zum fairen Preis, für Heim und Handwerk.`,
    es: (name) => `${name} ofrece buena calidad a un precio justo, para el hogar y los profesionales.`,
    it: (name) => `${name} offre buona qualità a un prezzo giusto, per la casa e gli artigiani.`,
  },
  3: {
    en: (name) => `${name} keeps it simple: what you need for the job, at a small price.`,
    fr: (name) => `${name} va à l'essentiel : ce qu'il faut pour le chantier, à petit prix.`,
    de: (name) => `${name} macht es einfach: alles Nötige für die Arbeit zum kleinen Preis.`,
    es: (name) => `${name} va a lo esencial: lo que hace falta para el trabajo, a buen precio.`,
    it: (name) => `${name} punta all'essenziale: quello che serve per il lavoro, a piccolo prezzo.`,
  },
}

export const brands: DemoBrand[] = namedBrands.map(({ name, tier }, index) => {
  const home = pick(homes, chance(index, 5))
  const slug = slugOf(name, 'en')
  return {
    id: index + 1,
    slug,
    name,
    tier,
    country: home.country,
    texts: inFive((language) => sentences[tier][language](name)),
    maker: { name: `${name} ${home.legal}`, address: home.address, email: `safety@${slug}.example` },
  }
})

const byName = new Map(brands.map((brand) => [brand.name, brand]))
const plantFamilies = new Set(['hedge_plant', 'fruit_tree', 'seeds'])

/** Brands that make products of a family. */
export function brandsOf(family: Family): DemoBrand[] {
  const field = family.flags.includes('solar') ? 'solar' : plantFamilies.has(family.key) ? 'plants' : family.dept
  const named = brandsByField.get(field) ?? namedBrands
  return named.map(({ name }) => byName.get(name) as DemoBrand)
}
