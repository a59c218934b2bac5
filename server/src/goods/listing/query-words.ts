import type { Language } from '@purlin/contract/markets.ts'

/** Words before a value that goods must not have: "not cordless", "ohne Kabel". Folded. */
export const negations: Record<Language, ReadonlySet<string>> = {
  en: new Set(['not', 'no', 'non', 'without', 'except', 'excluding']),
  fr: new Set(['sans', 'pas', 'non', 'sauf', 'hors']),
  de: new Set(['ohne', 'nicht', 'kein', 'keine', 'keinen', 'ausser']),
  es: new Set(['sin', 'no', 'excepto', 'salvo']),
  it: new Set(['senza', 'non', 'no', 'tranne', 'eccetto']),
}

/** Negations that also stand in names of values: "no battery", "ohne Akku und Ladegerät". */
export const lacking: ReadonlySet<string> = new Set(['no', 'without', 'sans', 'ohne', 'sin', 'senza'])

/** Words that may stand between a negation and its value: "sans le fil", "not a cordless". */
export const articles: ReadonlySet<string> = new Set(
  'a an any the un une le la les de d l du des ein eine einen einem der die das den dem el los las una lo il gli i uno della del'.split(
    ' ',
  ),
)

export type ConditionGroup = 'new' | 'refurbished' | 'used'

/** What shoppers call the condition of goods, besides the shop's own labels. Folded phrases. */
export const conditionPhrases: Record<Language, Record<ConditionGroup, readonly string[]>> = {
  en: {
    new: ['brand new'],
    refurbished: ['refurbished', 'refurb', 'reconditioned', 'renewed'],
    used: ['second hand', 'secondhand', 'used', 'pre owned', 'preowned'],
  },
  fr: {
    new: ['neuf', 'neuve', 'a l etat neuf'],
    refurbished: ['reconditionne', 'reconditionnee', 'reconditionnes', 'reconditionnees', 'remis a neuf'],
    used: ['occasion', 'd occasion', 'seconde main', 'usage', 'usagee'],
  },
  de: {
    new: ['neuware', 'fabrikneu'],
    refurbished: ['generaluberholt', 'refurbished', 'wiederaufbereitet', 'aufbereitet', 'uberholt', 'runderneuert'],
    used: ['gebraucht', 'gebrauchte', 'gebrauchter', 'gebrauchtes', 'gebrauchten', 'second hand', 'secondhand'],
  },
  es: {
    new: ['a estrenar'],
    refurbished: ['reacondicionado', 'reacondicionada', 'reacondicionados', 'reacondicionadas', 'restaurado', 'restaurada'],
    used: ['segunda mano', 'de segunda mano', 'usado', 'usada', 'usados', 'usadas'],
  },
  it: {
    new: ['nuovo di zecca'],
    refurbished: ['ricondizionato', 'ricondizionata', 'ricondizionati', 'ricondizionate', 'rigenerato', 'rigenerata'],
    used: ['usato', 'usata', 'usati', 'usate', 'seconda mano', 'di seconda mano'],
  },
}
