import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const sources = join(import.meta.dirname, '../..')

test('V-13 no module of the server imports the packages that few processes need', () => {
  const files = globSync('**/*.ts', { cwd: sources }).filter((file) => !/test/.test(file))
  assert.ok(files.length > 1000, `${files.length} files`)
  const early = files.filter((file) =>
    /^import (?!type )[^\n]* from '(stripe|pdfkit|nodemailer)'$/m.test(readFileSync(join(sources, file), 'utf8')),
  )
  assert.deepEqual(early, [])
})
