/** Functions of the search package over 60 lines need a comment with the reason (V-61). */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import config from '../oxlint.config.ts'
import { root } from './find-tests.ts'
import { readSources } from './walls.ts'

const folder = mkdtempSync(join(tmpdir(), 'long-functions-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const functionOf = (lines: number) =>
  `export function planted(): void {\n${Array.from({ length: lines - 2 }, (_, at) => `  console.log(${at})`).join('\n')}\n}\n`

/** The linter's output for a file of the search package. */
function lint(name: string, text: string): string {
  const path = join(folder, 'search/src', name)
  mkdirSync(join(folder, 'search/src'), { recursive: true })
  writeFileSync(path, text)
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config))
  const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-f', 'unix', path], { cwd: folder, encoding: 'utf8' })
  return stdout + stderr
}

test('V-61 a function of 61 lines in the search package is refused, one of 60 is not', () => {
  assert.match(lint('long.ts', functionOf(61)), /max-lines-per-function/)
  assert.doesNotMatch(lint('short.ts', functionOf(60)), /max-lines-per-function/)
})

test('V-61 a longer function of the search package has a comment with its reason', () => {
  const exceptions = readSources().flatMap(({ path, text }) =>
    path.startsWith('search/') ? (text.match(/.*(?:oxlint|eslint)-disable.*max-lines-per-function.*/g) ?? []) : [],
  )
  for (const line of exceptions) assert.match(line, /-disable-next-line max-lines-per-function -- .{10,}/)
})
