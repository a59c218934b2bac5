import { advice, closers, facets, valueText, type Attributes, type Family } from './grammar.ts'
import { inFive, languages, slugOf, type InFive, type Language } from './languages.ts'

const parts = new Map<string, string[]>()

/** The template split at its placeholders: text, key, text, key … */
function partsOf(template: string): string[] {
  let cut = parts.get(template)
  if (!cut) {
    cut = template.split(/\{(\w+)\}/)
    parts.set(template, cut)
  }
  return cut
}

/** The values that distinguish products of a family come first, in the template's own order. */
const decidingValues = 2

/** The template after the family's name, cut where its two deciding values end. */
function cutTemplate(template: string): [lead: string, tail: string] {
  const rest = template.replace(/^\{n\},? ?/, '')
  const ends = [...rest.matchAll(/\}/g)].map(({ index }) => index + 1)
  const end = ends[decidingValues - 1] ?? rest.length
  // A third value that belongs to the second ("60 x 40 x 20 cm") stays with it.
  const [more = ''] = /^(?: x \{\w+\})*/.exec(rest.slice(end)) ?? []
  return [rest.slice(0, end + more.length), rest.slice(end + more.length)]
}

/**
 * "Tarvok Pro 345, 18 V 60 Nm – Cordless combi drill, brushless motor, 2 batteries": brand, model and the two deciding values
 * first, so that a truncated title still distinguishes products (V-28). The condition is not part of it (decision 14).
 */
export function titleOf(family: Family, attributes: Attributes, model: string, language: Language): string {
  const template = family.titles[language]
  const [lead, tail] = cutTemplate(template)
  const name = template.includes('{n}') ? ` – ${capital(family.names[language])}` : ''
  return `${model}, ${filled(lead, attributes, language)}${name}${filled(tail, attributes, language)}`
}

function filled(template: string, attributes: Attributes, language: Language): string {
  let text = ''
  for (const [position, part] of partsOf(template).entries()) {
    if (position % 2 === 0) text += part
    else if (attributes[part] !== undefined) text += valueText(part, attributes[part], language)
  }
  return text
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function titlesOf(family: Family, attributes: Attributes, model: string): InFive {
  return inFive((language) => titleOf(family, attributes, model, language))
}

export function slugsOf(titles: InFive): InFive {
  return inFive((language) => slugOf(titles[language], language))
}

/** Four paragraphs: purpose, facts, advice on choosing and using it, closing. */
export function descriptionsOf(family: Family, attributes: Attributes, number: number): InFive {
  // Spare parts are promised for products with a motor or a plug.
  const lasting = family.flags.some((flag) => flag === 'weee' || flag === 'battery') || family.dept === 'tools'
  return inFive((language, index) => {
    const colon = language === 'fr' ? ' : ' : ': '
    const facts = Object.entries(attributes).map(
      ([key, value]) => `${facets.get(key)?.n[index]}${colon}${valueText(key, value, language)}.`,
    )
    const closer = closers[language][number % (lasting ? 4 : 3)] as string
    return [family.intro[language], facts.join(' '), advice[family.key]?.[language], closer].filter(Boolean).join('\n\n')
  })
}

type Warning = 'read' | 'children' | 'electric' | 'blade' | 'heavy' | 'chemical'
const warnings: Record<Warning, string[]> = {
  read: [
    'Read the instructions before first use.',
    'Lire la notice avant la première utilisation.',
    'Vor dem ersten Gebrauch die Anleitung lesen.',
    'Lea las instrucciones antes del primer uso.',
    'Leggere le istruzioni prima del primo uso.',
  ],
  children: [
    'Keep packaging and small parts away from children.',
    'Tenir l’emballage et les petites pièces hors de portée des enfants.',
    'Verpackung und Kleinteile von Kindern fernhalten.',
    'Mantenga el embalaje y las piezas pequeñas fuera del alcance de los niños.',
    'Tenere imballaggio e piccole parti lontano dai bambini.',
  ],
  electric: [
    'Disconnect from the power before any work on the product.',
    'Couper l’alimentation avant toute intervention.',
    'Vor Arbeiten am Gerät vom Strom trennen.',
    'Desconecte la corriente antes de cualquier trabajo en el aparato.',
    'Scollegare la corrente prima di ogni intervento.',
  ],
  blade: [
    'Wear eye and hearing protection and gloves.',
    'Porter des lunettes, une protection auditive et des gants.',
    'Augen- und Gehörschutz sowie Handschuhe tragen.',
    'Use protección ocular y auditiva y guantes.',
    'Indossare protezioni per occhi e udito e guanti.',
  ],
  heavy: [
    'Heavy: lift with two people.',
    'Lourd : à porter à deux.',
    'Schwer: zu zweit heben.',
    'Pesado: levántelo entre dos personas.',
    'Pesante: sollevare in due.',
  ],
  chemical: [
    'Keep out of reach of children. Use only in well-ventilated rooms.',
    'Tenir hors de portée des enfants. Utiliser dans un local bien ventilé.',
    'Darf nicht in die Hände von Kindern gelangen. Nur in gut gelüfteten Räumen verwenden.',
    'Mantener fuera del alcance de los niños. Utilizar solo en lugares bien ventilados.',
    'Tenere fuori dalla portata dei bambini. Usare solo in luoghi ben ventilati.',
  ],
}
const chemicals = /paint|enamel|stain|silicone|adhesive|chlorine|cleaner|cement|plaster|concrete/
const blades = /saw|grinder|drill|hammer|trimmer|mower|sander|welder|driver/

/** Safety warnings of a family's products, by language (GPSR art. 19). */
export function warningsOf(family: Family, weightG: number): Record<Language, string[]> {
  const kinds: Warning[] = ['read']
  if (chemicals.test(family.key)) kinds.push('chemical')
  else kinds.push('children')
  if (family.flags.includes('weee') || family.dept === 'electrical') kinds.push('electric')
  if (blades.test(family.key)) kinds.push('blade')
  if (weightG > 25_000) kinds.push('heavy')
  return Object.fromEntries(languages.map((language, index) => [language, kinds.map((kind) => warnings[kind][index] as string)])) as Record<
    Language,
    string[]
  >
}
