/**
 * npm run verify: checks in under two minutes whether a change is done: types, lint, generated API types, message catalogues, editorial content, walls, format, unused code, rules.
 * `--no-rules` skips the rule tests.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { findTests, root } from './find-tests.ts'
import { checkContent } from './check-content.ts'
import { checkAddresses } from './generate-addresses.ts'
import { checkApi } from './generate-api.ts'
import { unlabelledControls } from './labels.ts'
import { checkWords } from './check-words.ts'
import { runTests } from './run-tests.ts'
import { isPatient, isRule, sharesProcess } from './test-order.ts'
import { findUnused } from './unused-code.ts'
import { checkWalls, readSources } from './walls.ts'

const startedAt = Date.now()
const bin = (name: string) => join(root, 'node_modules/.bin', name)
let failed = 0

async function step(name: string, work: () => Promise<string>): Promise<void> {
  const from = Date.now()
  const said = await work().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  const took = `${((Date.now() - from) / 1000).toFixed(1)} s`
  process.stdout.write(`${said ? '✖' : '✔'} ${name.padEnd(8)} ${took}\n${said ? `${said.trimEnd()}\n\n` : ''}`)
  if (said) failed++
}

/** The output of a failed tool; empty if it passed. */
function tool(name: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(bin(name), args, { cwd: root, shell: process.platform === 'win32' })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)))
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0 ? '' : said || `${name} ended with ${code}`))
  })
}

await Promise.all([
  step('types', () => tool('tsc', '-p', '.')),
  step('lint', () => tool('oxlint', '--type-aware', '--deny-warnings')),
  step('api', async () => [await checkApi(), checkAddresses()].filter(Boolean).join('\n')),
  step('words', async () => checkWords().join('\n')),
  step('content', async () => checkContent()),
  step('walls', async () => [...checkWalls(readSources()), ...unlabelledControls(readSources())].join('\n')),
  step('format', () => tool('oxfmt', '--check', '.')),
  step('unused', async () => [await tool('knip', '--no-progress'), ...findUnused(readSources())].filter(Boolean).join('\n')),
])
const withRules = !process.argv.includes('--no-rules')
if (withRules) await step('rules', rules)

async function rules(): Promise<string> {
  const files = findTests().filter(isRule)
  const options = { quiet: true, again: true, shares: sharesProcess }
  // Files with a process of their own are the longest.
  const counts = await Promise.all([
    runTests(files.filter(isPatient), { ...options, atOnce: 1 }),
    runTests(
      files.filter((file) => !isPatient(file)).toSorted((a, b) => Number(sharesProcess(a)) - Number(sharesProcess(b))),
      { ...options, atOnce: 2 },
    ),
  ])
  const passed = counts.reduce((sum, each) => sum + each.passed, 0)
  const broken = counts.reduce((sum, each) => sum + each.failed, 0)
  if (!broken) process.stdout.write(`  ${passed} tests of rules in ${files.length} files\n`)
  return broken ? `${broken} of ${passed + broken} tests failed (see above)` : ''
}
process.stdout.write(`${failed ? 'Not done' : 'Done'}: ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`)
process.exit(failed ? 1 : 0)
