import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesBelow, root, sourceFolders } from './find-tests.ts'

const files = [...sourceFolders, 'docs'].flatMap((folder) => filesBelow(folder, /./))
const decisions = readdirSync(join(root, 'docs/decisions'))
const pages = ['README.md', 'ARCHITECTURE.md', 'STYLE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/roadmap.md', 'docs/attacks.md'].concat(
  decisions.map((name) => `docs/decisions/${name}`),
)

for (const page of pages) {
  test(`every file named in ${page} exists`, () => {
    const text = readFileSync(join(root, page), 'utf8')
    // `gateway/execute.ts`, `storefront/src/routes.ts`; not names with placeholders, bare names, or other programs.
    for (const [, named = ''] of text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:tsx?|mjs|css|sql|md|json|graphql))`/g)) {
      const isThere = existsSync(join(root, named)) || files.some((file) => file.endsWith(`/${named}`))
      assert.ok(isThere, named)
    }
  })
}

test('decisions are numbered consecutively', () => {
  const numbers = decisions.map((name) => name.slice(0, 3))
  assert.deepEqual(
    numbers.sort(),
    numbers.map((_, at) => String(at + 1).padStart(3, '0')),
  )
})
