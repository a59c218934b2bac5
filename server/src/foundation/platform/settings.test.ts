import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError, startSentence } from './errors.ts'
import { readSettings } from './settings.ts'

test('without settings the shop has port 3000, its own data folder, two processes and 5,000 products', () => {
  const { port, dataDir, databaseUrl, role, products, processes, searchDir } = readSettings({}, [])
  assert.deepEqual([port, databaseUrl, role, products, processes], [3000, undefined, undefined, 5000, 2])
  assert.equal(dataDir.endsWith('.data'), true)
  assert.equal(searchDir, `${dataDir}/search`)
})

test('options are read with a space or an equals sign', () => {
  assert.equal(readSettings({}, ['--products', '12']).products, 12)
  assert.equal(readSettings({}, ['--products=12', '--role=worker']).role, 'worker')
})

const wrong: [string, NodeJS.ProcessEnv, string[]][] = [
  ['PORT', { PORT: '70000' }, []],
  ['PORT', { PORT: '3e3' }, []],
  ['--products', {}, ['--products', 'many']],
  ['--products', {}, ['--products']],
  ['--role', {}, ['--role', 'boss']],
  ['Unknown option', {}, ['--prodcts', '3']],
  ['SITE_HOSTS', { SITE_HOSTS: 'www.purlin.fr' }, []],
  ['WEB_PROCESSES', { WEB_PROCESSES: '0' }, []],
]
for (const [start, env, args] of wrong) {
  test(`a wrong setting is named: ${start} ${JSON.stringify(env)} ${args.join(' ')}`, () => {
    assert.throws(
      () => readSettings(env, args),
      (error) => error instanceof StartError && error.message.startsWith(start),
    )
  })
}

test('F11 a full disk is one sentence, whoever meets it', () => {
  for (const error of [
    Object.assign(new Error('write'), { code: 'ENOSPC' }),
    Object.assign(new Error('could not extend file'), { code: '53100' }),
  ]) {
    assert.equal(startSentence(error, '/data'), 'The disk is full: the shop needs room in /data.')
  }
  assert.match(startSentence(new Error('a fault of ours'), '/data'), /a fault of ours\n\s+at /)
})

test('a folder that belongs to somebody else is one sentence too', () => {
  const error = Object.assign(new Error('permission denied, mkdir'), { code: 'EACCES', path: '/theirs/dist' })
  assert.equal(
    startSentence(error, '/data'),
    'This user may not write /theirs/dist: start as the owner of that folder, or from a copy of your own.',
  )
})
