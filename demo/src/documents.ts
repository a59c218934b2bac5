import { facets, familyOf, valueText, type Attributes } from './grammar.ts'
import { languages, type InFive, type Language } from './languages.ts'

/** Data of a document: columns of the product and its brand's name. */
export interface DocumentCase {
  family: string
  brand: string
  titles: InFive
  mpn: string
  ean: string
  attributes: Attributes
  safety: { manufacturer: string; address: string; email: string; responsiblePerson: string; warnings: Record<Language, string[]> }
}

interface ManualWords {
  manual: string
  data: string
  safety: string
  number: string
  start: string
  startText: string
  care: string
  careText: string
  disposal: string
  disposalText: string
  disposalElectric: string
  maker: string
  responsible: string
}

const words: Record<Language, ManualWords> = {
  en: {
    manual: 'Instructions',
    data: 'Technical data',
    safety: 'Safety',
    number: 'Article number',
    start: 'Before first use',
    startText: 'Unpack all parts and check them for damage. Do not use the product if something is missing or broken; tell the seller.',
    care: 'Care and storage',
    careText: 'Clean with a dry or slightly damp cloth. Store dry, free of frost and out of direct sun.',
    disposal: 'Disposal',
    disposalText: 'Sort the packaging. Take the product to your local recycling point at the end of its life.',
    disposalElectric:
      'Electrical equipment and batteries do not belong in household waste: hand them in at a collection point or at the shop.',
    maker: 'Manufacturer',
    responsible: 'Responsible person',
  },
  fr: {
    manual: "Mode d'emploi",
    data: 'Caractéristiques techniques',
    safety: 'Sécurité',
    number: 'Référence',
    start: 'Avant la première utilisation',
    startText:
      "Déballez toutes les pièces et vérifiez leur état. N'utilisez pas le produit si une pièce manque ou est abîmée ; prévenez le vendeur.",
    care: 'Entretien et stockage',
    careText: 'Nettoyez avec un chiffon sec ou légèrement humide. Rangez au sec, à l’abri du gel et du soleil.',
    disposal: 'Fin de vie',
    disposalText: "Triez l'emballage. Déposez le produit à la déchetterie en fin de vie.",
    disposalElectric:
      'Les appareils électriques et les piles ne vont pas dans les ordures ménagères : déposez-les dans un point de collecte ou en magasin.',
    maker: 'Fabricant',
    responsible: 'Personne responsable',
  },
  de: {
    manual: 'Anleitung',
    data: 'Technische Daten',
    safety: 'Sicherheit',
    number: 'Artikelnummer',
    start: 'Vor dem ersten Gebrauch',
    startText:
      'Packen Sie alle Teile aus und prüfen Sie sie auf Schäden. Benutzen Sie das Produkt nicht, wenn etwas fehlt oder beschädigt ist; sagen Sie es dem Händler.',
    care: 'Pflege und Lagerung',
    careText: 'Mit einem trockenen oder leicht feuchten Tuch reinigen. Trocken, frostfrei und ohne direkte Sonne lagern.',
    disposal: 'Entsorgung',
    disposalText: 'Trennen Sie die Verpackung. Bringen Sie das Produkt am Ende zum Wertstoffhof.',
    disposalElectric: 'Elektrogeräte und Batterien gehören nicht in den Hausmüll: Geben Sie sie an einer Sammelstelle oder im Handel ab.',
    maker: 'Hersteller',
    responsible: 'Verantwortliche Person',
  },
  es: {
    manual: 'Instrucciones',
    data: 'Datos técnicos',
    safety: 'Seguridad',
    number: 'Referencia',
    start: 'Antes del primer uso',
    startText:
      'Desembale todas las piezas y compruebe que no estén dañadas. No use el producto si falta algo o está roto; avise al vendedor.',
    care: 'Cuidado y almacenamiento',
    careText: 'Limpie con un paño seco o ligeramente húmedo. Guarde en un lugar seco, sin heladas y sin sol directo.',
    disposal: 'Reciclaje',
    disposalText: 'Separe el embalaje. Lleve el producto al punto limpio al final de su vida útil.',
    disposalElectric:
      'Los aparatos eléctricos y las pilas no van a la basura doméstica: entréguelos en un punto de recogida o en la tienda.',
    maker: 'Fabricante',
    responsible: 'Persona responsable',
  },
  it: {
    manual: 'Istruzioni',
    data: 'Dati tecnici',
    safety: 'Sicurezza',
    number: 'Codice articolo',
    start: 'Prima del primo uso',
    startText:
      'Disimballare tutte le parti e controllare che non siano danneggiate. Non usare il prodotto se manca qualcosa o è rotto; avvisare il venditore.',
    care: 'Cura e conservazione',
    careText: "Pulire con un panno asciutto o appena umido. Conservare all'asciutto, al riparo dal gelo e dal sole diretto.",
    disposal: 'Smaltimento',
    disposalText: "Separare l'imballaggio. A fine vita portare il prodotto all'isola ecologica.",
    disposalElectric: 'Apparecchi elettrici e pile non vanno nei rifiuti domestici: consegnarli in un punto di raccolta o in negozio.',
    maker: 'Produttore',
    responsible: 'Persona responsabile',
  },
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const plain = (text: string) => text.replace(/[&<>"]/g, (sign) => signs[sign] as string)

/** A product's instructions as a standalone page: no style, script or picture. */
export function manualPage(of: DocumentCase, language: Language): string {
  const say = words[language]
  const family = familyOf(of.family)
  const isElectric = family.dept === 'electrical' || family.flags.some((flag) => flag === 'weee' || flag === 'battery')
  const index = languages.indexOf(language)
  const facts = Object.entries(of.attributes).map(
    ([key, value]) =>
      `<tr><th scope="row">${plain(facets.get(key)?.n[index] ?? key)}</th><td>${plain(valueText(key, value, language))}</td></tr>`,
  )
  const section = (title: string, body: string) => `<section><h2>${plain(title)}</h2>${body}</section>`
  const text = (sentence: string) => `<p>${plain(sentence)}</p>`
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${plain(`${say.manual}: ${of.titles[language]}`)}</title></head>
<body><main><h1>${plain(of.titles[language])}</h1><p>${plain(`${say.manual}. ${say.number}: ${of.mpn}, EAN ${of.ean}`)}</p>
${section(say.safety, `<ul>${of.safety.warnings[language].map((warning) => `<li>${plain(warning)}</li>`).join('')}</ul>`)}
${section(say.start, text(say.startText))}
${section(say.data, `<table>${facts.join('')}</table>`)}
${section(say.care, text(say.careText))}
${section(say.disposal, text(say.disposalText) + (isElectric ? text(say.disposalElectric) : ''))}
${section(say.maker, text(`${of.safety.manufacturer}, ${of.safety.address}, ${of.safety.email}`) + text(`${say.responsible}: ${of.safety.responsiblePerson}`))}
</main></body></html>
`
}

/** From the best class to the worst: the scale since 2021, and the older one for products that still use it. */
const scales = {
  today: ['A', 'B', 'C', 'D', 'E', 'F', 'G'],
  older: ['A+++', 'A++', 'A+', 'A', 'B', 'C', 'D'],
}
const scaleColors = ['#00863d', '#4fa839', '#b3c92a', '#e8c400', '#e59500', '#da5f17', '#cf1f25']
const titles: InFive = { en: 'Energy', fr: 'Énergie', de: 'Energie', es: 'Energía', it: 'Energia' }

/** The energy label as SVG, or null for products without one. Families with any older class use the older scale. */
export function energyLabel(of: DocumentCase, language: Language): string | null {
  const { energy } = of.attributes
  if (typeof energy !== 'string') return null
  const usesOlder = (familyOf(of.family).attrs.energy ?? []).some((value) => String(value).includes('+'))
  const scale = usesOlder ? scales.older : scales.today
  const at = scale.indexOf(energy)
  if (at < 0) return null
  const bars = scale.map((name, i) => {
    const [y, end] = [150 + i * 56, 170 + i * 26]
    return `<path d="M30 ${y}H${end}l20 22-20 22H30z" fill="${scaleColors[i]}"/><text x="42" y="${y + 32}" font-size="30" fill="#fff">${name}</text>`
  })
  const y = 150 + at * 56
  const label = plain(`${titles[language]}: ${energy}`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="600" viewBox="0 0 480 600" role="img" aria-label="${label}" font-family="sans-serif" font-weight="700"><rect width="480" height="600" fill="#fff" stroke="#0b3a8c" stroke-width="8"/><path d="M4 4H476V84H4z" fill="#0b3a8c"/><text x="30" y="58" font-size="40" fill="#fff">${plain(titles[language])}</text><text x="30" y="122" font-size="22" fill="#222">${plain(of.brand)}</text><text x="450" y="122" font-size="22" fill="#222" text-anchor="end">${plain(of.mpn)}</text>${bars.join('')}<path d="M450 ${y}H386l-22 22 22 22H450z" fill="#222"/><text x="446" y="${y + 31}" font-size="${energy.length > 2 ? 20 : 28}" fill="#fff" text-anchor="end">${energy}</text><text x="240" y="584" font-size="18" fill="#444" text-anchor="middle">${usesOlder ? 'A+++ – D' : 'A – G'}</text></svg>
`
}
