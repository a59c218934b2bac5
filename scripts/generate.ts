/** npm run generate: everything that is generated and committed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateWords } from '@purlin/words/generate.ts'
import { readMessages } from '@purlin/words/read-messages.ts'
import { root } from './find-tests.ts'
import { generateAddresses } from './generate-addresses.ts'
import { generateApi, readApiSources, staleFiles } from './generate-api.ts'

const generated = new Map([...(await generateApi(readApiSources())), ...generateAddresses(), ...generateWords(readMessages())])
for (const path of staleFiles(generated)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), generated.get(path) ?? '')
  process.stdout.write(`${path}\n`)
}
