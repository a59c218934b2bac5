import type { EntryBlock } from './entry-blocks.ts'
import type { EntryFacts, EntryText } from './entry.ts'

/** Pictures, products, calculators and lists that a text names and the facts lack, or vice versa. */
export function namesMissing(facts: EntryFacts, { blocks }: EntryText): string[] {
  const known: Partial<Record<EntryBlock['kind'], string[]>> = {
    picture: Object.keys(facts.pictures),
    products: Object.keys(facts.products),
    calculator: Object.keys(facts.calculators),
    shopping: facts.shopping.map(({ key }) => key),
    comparison: facts.comparison?.picks.map(({ key }) => key) ?? [],
  }
  return Object.entries(known).flatMap(([kind, names]) => {
    const said = blocks
      .filter((block) => block.kind === kind)
      .flatMap(({ id, parts }) => (id === null ? parts.map((part) => part.id) : [id]))
    return [
      ...said.filter((name) => !names.includes(name)).map((name) => `:::${kind} names ${name}, which the .json lacks`),
      ...names.filter((name) => !said.includes(name)).map((name) => `the .json has ${name} for :::${kind}, which the text lacks`),
    ]
  })
}

/** The targets of all links in these blocks. */
export function linksOf(blocks: readonly EntryBlock[]): string[] {
  const lines = blocks.flatMap((block) => [
    ...block.lines,
    ...block.rows.flatMap(({ cells }) => cells),
    ...block.parts.flatMap((part) => part.blocks.flatMap((plain) => plain.lines)),
  ])
  return lines.flatMap(({ spans }) => spans.flatMap(({ to }) => (to === null ? [] : [to])))
}
