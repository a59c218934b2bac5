import { publicAddresses } from '@purlin/contract/public-addresses.ts'
import type { Text, TextName } from '#content'
import type { MailBlock } from '#mail'

type SmallPrint = Extract<MailBlock, { kind: 'small-print' }>
type Line = Text['blocks'][number]['lines'][number]

const addresses: Partial<Record<TextName, string>> = { withdrawal: publicAddresses.withdrawal, terms: publicAddresses.terms }

/** A legal text as part of a mail: in full, and with its permanent address. */
export function legalText({ name, title, blocks }: Text, origin: string): SmallPrint {
  return {
    kind: 'small-print',
    title,
    url: `${origin}${addresses[name] ?? publicAddresses.legals}`,
    parts: blocks.flatMap(({ kind, lines, rows }): SmallPrint['parts'] =>
      kind === 'heading'
        ? [{ kind: 'heading' as const, text: lines.map(inWords).join(' ') }]
        : kind === 'table'
          ? rows.map(({ cells }) => ({ kind: 'item' as const, text: cells.map(inWords).join(' | ') }))
          : lines.map((line) => ({
              kind: kind === 'bullets' || kind === 'steps' ? ('item' as const) : ('paragraph' as const),
              text: inWords(line),
            })),
    ),
  }
}

function inWords({ spans }: Line): string {
  return spans.map(({ text }) => text).join('')
}
