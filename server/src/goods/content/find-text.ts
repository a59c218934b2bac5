import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { settings } from '#platform'
import { localDay } from '#pricing'
import { parseText, type TextValues } from './parse-text.ts'
import { textNames, type Text, type TextName } from './text.ts'

/** `<market>/<name>.<version>.md`. A version that has been in force is never edited: the next one is a new file. */
const folder = join(import.meta.dirname, '../../../texts')

const shelves = new Map<string, Text[]>()

/** All versions of a storefront's texts, oldest first; read once. */
export function textsOf(market: Market, mode: Mode): readonly Text[] {
  const key = `${market}/${mode}`
  const known = shelves.get(key)
  if (known) return known
  const values = settingsInWords()
  const texts = readdirSync(join(folder, market))
    .map((file) => readText(market, mode, file, values))
    .toSorted((a, b) => a.version - b.version)
  shelves.set(key, texts)
  return texts
}

/** The version in force on the market's current day, or the requested one if it has ever been in force. */
export function findText(
  { market, mode, now }: { market: Market; mode: Mode; now: Date },
  name: TextName,
  version?: number | null,
): (Text & { current: boolean }) | null {
  const today = localDay(market, now)
  const valid = textsOf(market, mode).filter((text) => text.name === name && text.validFrom <= today)
  const current = valid.at(-1)
  const asked = version === undefined || version === null ? current : valid.find((text) => text.version === version)
  return asked ? { ...asked, current: asked === current } : null
}

function readText(market: Market, mode: Mode, file: string, values: TextValues): Text {
  const [, written = '', number] = /^([a-z]+)\.(\d+)\.md$/.exec(file) ?? []
  const name = textNames.find((known) => known === written)
  if (!name || !number) throw new Error(`${market}/${file}: a text is called <name>.<version>.md`)
  const [head = '', ...rest] = readFileSync(join(folder, market, file), 'utf8').split(/^---$/m)
  const fact = (key: string): string => {
    const value = new RegExp(`^${key}: (.+)$`, 'm').exec(head)?.[1]
    if (!value) throw new Error(`${market}/${file}: says no ${key}`)
    return value.trim()
  }
  try {
    return {
      id: `${market}/${name}/${number}`,
      name,
      version: Number(number),
      validFrom: fact('from'),
      title: fact('title'),
      description: fact('description'),
      blocks: parseText(partsFor(mode, rest.join('---')), values),
    }
  } catch (error) {
    throw new Error(`${market}/${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Removes the parts for the other storefront: `:::pro` or `:::consumer`, up to a line `:::`. */
function partsFor(mode: Mode, text: string): string {
  const wanted = mode === 'b2b' ? 'pro' : 'consumer'
  const chosen = text.replace(/^:::(pro|consumer)\n([\s\S]*?)^:::$/gm, (_, kind: string, inner: string) => (kind === wanted ? inner : ''))
  if (chosen.includes(':::')) throw new Error('A part for one storefront has no end')
  return chosen
}

function settingsInWords(): TextValues {
  const { name, address, representative, register, vatNumber, email, phone, host, mediator } = settings().operator
  return {
    name: { text: name },
    address: { text: address.join(', ') },
    representative: { text: representative },
    register: { text: register },
    vatNumber: { text: vatNumber },
    email: { text: email, href: `mailto:${email}` },
    phone: { text: phone, href: `tel:${phone.replace(/[^+\d]/g, '')}` },
    host: { text: host },
    mediator: { text: mediator },
  }
}
