import type { Language } from '../types.ts'

/** The rules of each language besides its stemmer. Words are folded: lower case, no accents. */
export interface LanguageRules {
  stemmer: string
  stopWords: Set<string>
  /** Whether the noun that names the thing comes after those that only describe it: "saw blade", "lame de scie". */
  isHeadLast: boolean
  /** Short words that lose their vowel before an apostrophe: l'échelle, dell'acqua. */
  elisions: Set<string>
  /** "," in most of Europe, "." in English. */
  decimal: ',' | '.'
}

const words = (text: string) => new Set(text.trim().split(/\s+/))

export const languages: Record<Language, LanguageRules> = {
  en: {
    stemmer: 'english',
    isHeadLast: true,
    stopWords: words(`a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its
      me my no not of on or our out she should so some such than that the their them then there these they this to up us was we were what
      when where which who whom why will with would you your`),
    elisions: words('s'),
    decimal: '.',
  },
  fr: {
    stemmer: 'french',
    isHeadLast: false,
    stopWords: words(`a ai au aux avec ce ces cet cette dans de des du elle elles en entre est et etre eu il ils je la le les leur leurs lui
      ma mais me mes mon ne nos notre nous on ou par pas pour qu que quel quelle qui sa se ses si son sont sur ta te tes ton tu un une
      vos votre vous y`),
    elisions: words('l d j m t s c n qu jusqu lorsqu puisqu quoiqu'),
    decimal: ',',
  },
  de: {
    stemmer: 'german',
    isHeadLast: true,
    stopWords: words(`aber als am an auch auf aus bei beim bin bis das dass dem den der des die dies diese dieser dieses durch ein eine
      einem einen einer eines er es fur gegen hat haben hinter ich ihr ihre im in ins ist ja kann mein mit nach nicht noch nur ob oder
      sein seine sich sie sind so und uber um uns unser unter vom von vor war was wenn wer wie wir wird zu zum zur zwischen fuer ueber`),
    elisions: words('s'),
    decimal: ',',
  },
  es: {
    stemmer: 'spanish',
    isHeadLast: false,
    stopWords: words(`a al algo ante como con cual cuando de del desde donde e el ella ellas ellos en entre era es esa ese eso esta este
      esto estos estas fue ha hasta hay la las le les lo los mas me mi mis mucho muy ni no nos o os otra otro para pero por porque que
      quien se ser si sobre son su sus te tu tus u un una uno unos unas y ya`),
    elisions: words('d l'),
    decimal: ',',
  },
  it: {
    stemmer: 'italian',
    isHeadLast: false,
    stopWords: words(`a ad ai al alla alle allo agli anche che chi ci come con cui da dai dal dalla dalle dallo dagli degli dei del della
      delle dello di e ed era gli ha hai ho i il in io la le lei li lo loro lui ma mi mio ne negli nei nel nella nelle nello noi non nostro
      o per perche piu quale quando quello questa queste questi questo se si sia siamo sono su sua sue sugli sui sul sulla sulle sullo suo
      tra tu un una uno voi`),
    elisions: words('l d c s un dell all nell sull dall coll quell quest sant bell'),
    decimal: ',',
  },
}

/** Spelled-out and national units of measure, with their symbols. Shared: catalogues mix languages. */
export const units: Map<string, string> = new Map(
  Object.entries({
    mm: 'mm millimetre millimetres millimeter millimeters millimetri milimetro milimetros',
    cm: 'cm centimetre centimetres centimeter centimeters centimetri centimetro centimetros zentimeter',
    m: 'm metre metres meter meters mt mts metro metros metri',
    mm2: 'mm2',
    cm2: 'cm2',
    m2: 'm2 qm sqm mq',
    m3: 'm3 cbm mc',
    kg: 'kg kilo kilos kilogramm kilogram kilograms kilogramme kilogrammes kilogramos chili kgs',
    g: 'g gr gramm gram grams gramme grammes gramos grammi',
    t: 't tonne tonnes tonnen toneladas tonnellate',
    l: 'l lt ltr liter litre liters litres litro litros litri',
    ml: 'ml millilitre millilitres milliliter mililitros millilitri',
    cl: 'cl centilitre centilitres',
    v: 'v volt volts voltios voltio',
    // Peak power of solar panels, which shoppers call watts too.
    w: 'w watt watts vatios vatio wp wattpeak',
    kw: 'kw kilowatt kilowatts kilovatios',
    a: 'a amp amps ampere amperes amper amperios',
    ah: 'ah',
    mah: 'mah',
    j: 'j joule joules julios',
    nm: 'nm',
    bar: 'bar bars bares',
    hz: 'hz',
    k: 'k kelvin',
    lm: 'lm lumen lumens lumenes',
    db: 'db decibel decibels',
    rpm: 'rpm tr umin u giri upm',
    hp: 'hp cv ps ch',
    pcs: 'pc pcs piece pieces pce pces stuck stk st teilig tlg pieza piezas pz pza pzas ud uds unidad unidades pezzo pezzi unite unites',
    in: 'inch inches zoll pouce pouces pulgada pulgadas pollice pollici',
    h: 'h hour hours heure heures stunde stunden stdn hora horas ora ore',
    btu: 'btu',
    kn: 'kn',
    kva: 'kva',
    kwh: 'kwh',
    n: 'n',
    pa: 'pa',
  }).flatMap(([symbol, names]) => names.split(' ').map((name) => [name, symbol] as const)),
)

/** Units of one kind in thousandths of a base, so that 1.5 m finds 1500 mm. */
export const unitScales: Record<string, { kind: string; scale: number }> = {
  mm: { kind: 'length', scale: 1 },
  cm: { kind: 'length', scale: 10 },
  m: { kind: 'length', scale: 1000 },
  in: { kind: 'length', scale: 25.4 },
  ml: { kind: 'volume', scale: 1 },
  cl: { kind: 'volume', scale: 10 },
  l: { kind: 'volume', scale: 1000 },
  g: { kind: 'weight', scale: 1 },
  kg: { kind: 'weight', scale: 1000 },
  t: { kind: 'weight', scale: 1_000_000 },
  w: { kind: 'power', scale: 1 },
  kw: { kind: 'power', scale: 1000 },
  mah: { kind: 'charge', scale: 1 },
  ah: { kind: 'charge', scale: 1000 },
}
