/**
 * Which lines of the checklist are proved. A line is proved by a test that names its id, passed in the last run of its
 * file and reached the product through a page, query, endpoint or job. Unit tests may name ids in addition, never alone.
 */
import type { Route } from '@purlin/web/route-table.ts'
import type { TestRecord } from './test-record.ts'

export type Verdict = 'proved' | 'unit only' | 'not yet'

export interface Line {
  id: string
  text: string
  /** S: stated by the specification; E: expected where it is silent. */
  kind: string
}

export interface JudgedLine extends Line {
  verdict: Verdict
  /** "file: title" of the tests that name it and passed. */
  tests: string[]
}

export function readChecklist(text: string): Line[] {
  return text.split('\n').flatMap((line) => {
    const [, id, kind, rest] = /^- (R-\d+) \[([SE])\] (.*)$/.exec(line) ?? []
    return id && kind ? [{ id, kind, text: rest ?? '' }] : []
  })
}

/** "R-020, R-023" and "R-373…R-400" in a title: each single id. */
export function idsOf(title: string): string[] {
  const ids: string[] = []
  for (const [, from, to] of title.matchAll(/R-(\d+)(?:\s*(?:…|\.\.\.|–|-)\s*R-(\d+))?/g)) {
    for (let id = Number(from); id <= Number(to ?? from); id++) ids.push(`R-${String(id).padStart(from?.length ?? 3, '0')}`)
  }
  return ids
}

export function judge(lines: readonly Line[], record: TestRecord): JudgedLine[] {
  const named = new Map<string, { label: string; reached: boolean }[]>()
  for (const [file, { tests }] of Object.entries(record))
    for (const { title, passed, reached } of tests) {
      if (!passed) continue
      for (const id of idsOf(title)) {
        const known = named.get(id) ?? []
        named.set(id, [...known, { label: `${file}: ${title}`, reached }])
      }
    }
  return lines.map((line) => {
    const tests = named.get(line.id) ?? []
    return { ...line, tests: tests.map(({ label }) => label), verdict: verdictOf(tests) }
  })
}

function verdictOf(tests: readonly { reached: boolean }[]): Verdict {
  if (tests.length === 0) return 'not yet'
  return tests.some(({ reached }) => reached) ? 'proved' : 'unit only'
}

/** The route table row of a line about an address ("GET /bs") or a named page ("Page login -> /auth/pre-login"). */
export function routeOf({ text }: Line, routes: readonly Route[]): Route | undefined {
  const address = /^(?:GET )?(\/[^\s,]*)/.exec(text.replace(/: (\w+)\}/g, '}'))?.[1]
  if (address) return atAddress(address, routes)
  const [, words, path] =
    /^(?:Static page|Page|Product and catalogue pages)\s*([\w\s/-]*?)(?: -> (\/[^\s,]*))?(?:,.*| (?:\(|under ).*)?$/.exec(text) ?? []
  // Three named pages share one path: the name decides.
  if (path) return routes.find(({ name, named }) => name === words && named?.includes(path)) ?? atAddress(path, routes)
  if (!words) return undefined
  const [page = '', ...parts] = words.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).split(' ')
  const guesses = [`/static/${page}`, `/${[page, ...parts].join('/')}`, `/${page}/${parts.join('-')}`]
  return guesses.map((guess) => atAddress(guess, routes)).find(Boolean) ?? routes.find(({ name }) => name === words)
}

function atAddress(address: string, routes: readonly Route[]): Route | undefined {
  const shape = shapeOf(address)
  return (
    routes.find(({ addresses }) => addresses.some((each) => shapeOf(each) === shape)) ??
    routes.find(({ named }) => named?.some((each) => shapeOf(each) === shape))
  )
}

/** Parameter names do not matter: "/p/{slug}-{id}" → "/p/{}-{}". */
function shapeOf(address: string): string {
  return address.replace(/\{[^}]*\}/g, '{}').replace(/:path\*$/, '{}')
}
