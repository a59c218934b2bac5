import type { Language } from '@purlin/contract/markets.ts'

interface Grammar {
  /** Begins the part of a name that only describes the thing: "paint for ceilings", "Sägeblätter aus Metall", "coffret de douilles". */
  qualifier: RegExp
  /** Stands between things named side by side. */
  conjunction: RegExp
}

function grammarOf(language: Language): Grammar {
  switch (language) {
    case 'en':
      return {
        qualifier: /\s(?:for|with|without|on|in|of|up to|from|until)\s.*$/iu,
        conjunction: /\s(?:and|or|&)\s|,|\//iu,
      }
    case 'fr':
      return {
        qualifier: /\s(?:(?:pour|avec|sans|sur|en|de|du|des|à|au|aux)\s|jusqu['’]à|d['’]).*$/iu,
        conjunction: /\s(?:et|ou|&)\s|,|\//iu,
      }
    case 'de':
      return {
        qualifier: /\s(?:für|mit|ohne|auf|an|im|in|aus|von|vom|bis|ab|zum|zur)\s.*$/iu,
        conjunction: /\s(?:und|oder|&)\s|,|\//iu,
      }
    case 'es':
      return {
        qualifier: /\s(?:para|con|sin|sobre|en|de|del|hasta|desde|a)\s.*$/iu,
        conjunction: /\s(?:y|e|o|&)\s|,|\//iu,
      }
    case 'it':
      return {
        qualifier: /\s(?:(?:per|con|senza|su|in|di|del|della|dello|dei|degli|delle|da|dal|fino|a|ad)\s|all['’]|d['’]).*$/iu,
        conjunction: /\s(?:e|ed|o|&)\s|,|\//iu,
      }
  }
}

/** A heat pump is none of the pumps that "pump" means: of such a term only the word that tells it apart. */
const ownTerm = /\b(?:(heat) pumps?|pompes? à (chaleur)|bombas? de (calor)|pomp[ae] di (calore))\b/iu

/** Nouns of quantity: the thing is what there are several of. */
const container =
  /^(?:sets?|kits?|packs?|pairs?|box(?:es)?|sätze?|satz|sortimente?|coffrets?|lots?|jeux?|assortiments?|juegos?|surtidos?|confezion[ei])$/iu
/** Adjectives that stand before their noun where adjectives usually follow. */
const before = /^(?:petit|petite|grand|grande|gros|grosse|mini|nouveau|pequeñ[oa]|gran|piccol[oai]|grand[ei])s?$/iu
const isWord = /^(?:\p{L}[\p{L}'’-]{2,}|WC)$/u

/**
 * The nouns that say what goods of a category are: "Metal drill bits" are bits, "Forets à métaux" are forets, and neither is a
 * drill. Of several named side by side, each; of a set, also what it is a set of.
 */
export function headNouns(categoryName: string, language: Language): string[] {
  const own = ownTerm
    .exec(categoryName)
    ?.slice(1)
    .find((word) => word !== undefined)
  if (own !== undefined) return [own]
  const isHeadLast = language === 'en' || language === 'de'
  const { qualifier, conjunction } = grammarOf(language)
  const heads = categoryName.split(conjunction).flatMap((part) => {
    const words = wordsOf(part.replace(qualifier, ''))
    const nouns = language === 'de' ? words.filter((word) => /^\p{Lu}/u.test(word)) : words
    const ordered = isHeadLast ? nouns.toReversed() : nouns.filter((word) => !before.test(word))
    const [head, next] = ordered
    if (head === undefined) return []
    if (!container.test(head)) return [language === 'de' ? lastPart(head) : head]
    const content = isHeadLast ? next : wordsOf(part).find((word) => word !== head && !before.test(word) && word.length > 3)
    return content === undefined ? [head] : [head, content]
  })
  // An abbreviation has no stem: "WCs" are a WC.
  return [...new Set(heads.map((head) => head.replace(/^(\p{Lu}{2,})s$/u, '$1')))]
}

/** The head of a German compound written with hyphens: a "WC-Sitz" is a seat. */
function lastPart(word: string): string {
  return word.split('-').at(-1) || word
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/u).filter((word) => isWord.test(word))
}
