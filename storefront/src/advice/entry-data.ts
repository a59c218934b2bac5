import type { EntryFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { wordsOf } from './lines.tsx'

type Part = EntryFragment['blocks'][number]['parts'][number]

/** An entry as schema.org data: a HowTo with steps, an ItemList of the compared products, an Article, its questions. */
export function entryData(entry: EntryFragment, { origin, t, mode }: ShopContext): object[] {
  const steps = partsOf(entry, 'steps')
  const questions = partsOf(entry, 'faq')
  const picks = partsOf(entry, 'comparison').flatMap(({ card }) => card ?? [])
  const url = origin + (entry.url ?? '')
  const publisher = { '@type': 'Organization', name: t(mode === 'b2b' ? 'shell.name-pro' : 'shell.name'), url: origin }
  const basic = {
    '@context': 'https://schema.org',
    name: entry.title,
    description: entry.description,
    url,
    ...(entry.pictureUrl && { image: origin + entry.pictureUrl }),
  }
  const article = {
    ...basic,
    '@type': 'Article',
    headline: entry.title,
    datePublished: entry.publishedOn,
    dateModified: entry.changedOn,
    author: { ...publisher, name: t('advice.author') },
    publisher,
    mainEntityOfPage: url,
  }
  const howTo = {
    ...basic,
    '@type': 'HowTo',
    ...(entry.minutes && { totalTime: `PT${entry.minutes}M` }),
    ...supplies(entry),
    step: steps.map(stepOf(url)),
  }
  return [
    ...(entry.kind === 'guide' || entry.kind === 'comparison' || entry.kind === 'project' ? [article] : []),
    ...(steps.length > 0 ? [howTo] : []),
    ...(picks.length > 0
      ? [
          {
            ...basic,
            '@type': 'ItemList',
            numberOfItems: picks.length,
            itemListElement: picks.map((card, index) => ({
              '@type': 'ListItem',
              position: index + 1,
              name: card.title,
              url: origin + card.url,
            })),
          },
        ]
      : []),
    ...(questions.length > 0
      ? [
          {
            '@context': 'https://schema.org',
            '@type': 'FAQPage',
            mainEntity: questions.map((part) => ({
              '@type': 'Question',
              name: part.title,
              acceptedAnswer: { '@type': 'Answer', text: textOf(part) },
            })),
          },
        ]
      : []),
  ]
}

function partsOf({ blocks }: EntryFragment, kind: 'steps' | 'faq' | 'comparison' | 'shopping'): Part[] {
  return blocks.flatMap((block) => (block.kind === kind ? block.parts : []))
}

function supplies(entry: EntryFragment) {
  const items = partsOf(entry, 'shopping')
  const named = (type: string, isTool: boolean) =>
    items.filter((item) => item.isTool === isTool).map(({ title }) => ({ '@type': type, name: title }))
  return items.length > 0 ? { tool: named('HowToTool', true), supply: named('HowToSupply', false) } : {}
}

const stepOf = (url: string) => (part: Part, index: number) => ({
  '@type': 'HowToStep',
  position: index + 1,
  name: part.title,
  text: textOf(part),
  url: `${url}#${part.id}`,
})

function textOf({ blocks }: Part): string {
  return blocks.flatMap(({ lines }) => lines.map(wordsOf)).join(' ')
}
