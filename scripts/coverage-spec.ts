/**
 * npm run coverage:spec [-- --json]: which lines of docs/checklist.md are named by the title of a test, in the source or,
 * for titles made from tables, in the last run.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findTests, filesBelow, root } from './find-tests.ts'
import { passedTitles } from './run-tests.ts'

interface Line {
  id: string
  text: string
  kind: string
  tests: string[]
}

const lines = new Map<string, Line>()
for (const text of readFileSync(join(root, 'docs/checklist.md'), 'utf8').split('\n')) {
  const found = /^\s*[-|*]?\s*(?:\[[ x]\]\s*)?\**(R-\d+)\**[\s|:.]*(.*)$/.exec(text)
  if (!found?.[1]) continue
  const kind = /\[([A-Z])\]/.exec(text)?.[1] ?? '?'
  lines.set(found[1], { id: found[1], text: (found[2] ?? '').replace(/^\[[A-Z]\]\s*/, '').trim(), kind, tests: [] })
}

/** "R-020, R-023" and "R-373…R-400" in a title: each id of it. */
export function idsOf(title: string): string[] {
  const ids: string[] = []
  for (const [, from, to] of title.matchAll(/R-(\d+)(?:\s*(?:…|\.\.\.|–|-)\s*R-(\d+))?/g)) {
    for (let id = Number(from); id <= Number(to ?? from); id++) ids.push(`R-${String(id).padStart(from?.length ?? 3, '0')}`)
  }
  return ids
}

for (const file of [...findTests(), ...filesBelow('e2e', /\.ts$/)]) {
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, , title] of text.matchAll(/\b(?:test|it|journey)\(\s*(['"`])((?:(?!\1)[\s\S])*)\1/g)) {
    for (const id of idsOf(title ?? '')) lines.get(id)?.tests.push(`${file}: ${title}`)
  }
}

for (const title of passedTitles()) for (const id of idsOf(title)) lines.get(id)?.tests.push(title)

const all = [...lines.values()].map((line) => ({ ...line, tests: [...new Set(line.tests)] }))
const covered = all.filter(({ tests }) => tests.length > 0)
if (process.argv.includes('--json')) {
  process.stdout.write(`${JSON.stringify({ lines: all.length, covered: covered.length, all }, null, 1)}\n`)
} else {
  for (const kind of [...new Set(all.map((line) => line.kind))].sort()) {
    const ofKind = all.filter((line) => line.kind === kind)
    const missing = ofKind.filter(({ tests }) => tests.length === 0)
    process.stdout.write(`[${kind}] ${ofKind.length - missing.length} of ${ofKind.length} lines have a test\n`)
    for (const { id, text } of missing) process.stdout.write(`    ${id} ${text.slice(0, 110)}\n`)
  }
  process.stdout.write(`${covered.length} of ${all.length} lines of docs/checklist.md have a test\n`)
}
