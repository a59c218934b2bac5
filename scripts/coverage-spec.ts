/**
 * npm run coverage:spec [-- --json]: which lines of docs/checklist.md are proved, according to the last test runs
 * (`npm test` runs everything), and which attacks have too few cases. The rule is in coverage.ts.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JudgedLine, type Verdict, judge, readChecklist } from './coverage.ts'
import { findTests, root } from './find-tests.ts'
import { readRecord } from './test-record.ts'

const record = readRecord()
const all = judge(readChecklist(readFileSync(join(root, 'docs/checklist.md'), 'utf8')), record)
if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(all, null, 1)}\n`)
else print(all)

function print(lines: readonly JudgedLine[]): void {
  const verdicts: Verdict[] = ['proved', 'unit only', 'not yet']
  for (const verdict of verdicts.slice(1)) {
    const found = lines.filter((line) => line.verdict === verdict)
    process.stdout.write(
      `${verdict}: ${found.length}\n${found.map(({ id, kind, text }) => `    ${id} [${kind}] ${text.slice(0, 110)}\n`).join('')}`,
    )
  }
  const thin = attacks().filter(({ cases }) => cases < 3)
  if (thin.length)
    process.stdout.write(`attacks with fewer than three cases that passed: ${thin.map(({ id, cases }) => `${id} (${cases})`).join(', ')}\n`)
  const missing = findTests().filter((file) => !record[file]).length
  if (missing) process.stdout.write(`${missing} test files have not run since they last changed; npm test runs everything.\n`)
  const count = (verdict: Verdict) => `${lines.filter((line) => line.verdict === verdict).length} ${verdict}`
  process.stdout.write(`${verdicts.map(count).join(', ')}; ${lines.length} lines\n`)
}

/** Attacks and findings of docs/attacks.md with the cases that passed: the titles that name them, as they ran. */
function attacks(): { id: string; cases: number }[] {
  const titles = Object.values(record).flatMap(({ tests }) => tests.flatMap(({ title, passed }) => (passed ? [title] : [])))
  const listed = readFileSync(join(root, 'docs/attacks.md'), 'utf8').matchAll(/^\| (A\d+|V-\d+) +\|/gm)
  return [...listed].map(([, id = '']) => ({ id, cases: titles.filter((title) => new RegExp(`\\b${id}\\b`).test(title)).length }))
}
