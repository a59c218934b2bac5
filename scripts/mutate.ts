/**
 * npm run mutate [-- MODULE …] [--sample N] [--seed N] [--minutes N] [--only PART] [--tests PART] [--verbose]: plants one small mistake after
 * another and runs the tests that reach it. Fails when fewer than nine in ten are detected, or when an undetected one
 * has no reason in mutate/survivors.ts. Without modules: all, 150 mutants each.
 */
import { parseArgs } from 'node:util'
import { mutatedModules } from './mutate/modules.ts'
import { runMutants } from './mutate/run-mutants.ts'
import { reasonOf } from './mutate/survivors.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '600' },
    only: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true },
    verbose: { type: 'boolean', default: false },
  },
})
const names = positionals.length ? positionals : Object.keys(mutatedModules)
const sample = values.sample === undefined ? (positionals.length ? undefined : 150) : Number(values.sample)
let isGood = true

for (const name of names) {
  const module = mutatedModules[name]
  if (!module) throw new Error(`No module ${name}: ${Object.keys(mutatedModules).join(', ')}`)
  const from = Date.now()
  const { judged, of } = await runMutants(module, {
    ...(sample !== undefined && { sample }),
    seed: Number(values.seed),
    until: from + Number(values.minutes) * 60_000,
    ...(values.only && { only: values.only }),
    ...(values.tests && { tests: values.tests }),
    report: (text) => void (values.verbose && process.stdout.write(`${text}\n`)),
  })
  const left = judged.filter(({ killedBy }) => killedBy === null).map(({ mutant }) => mutant)
  const unexplained = left.filter((mutant) => reasonOf(mutant) === undefined)
  const share = judged.length ? (judged.length - left.length) / judged.length : 1
  for (const { path, line, kind, code, becomes } of unexplained)
    process.stdout.write(`  ${path}:${line} ${kind}\n    - ${code}\n    + ${becomes}\n`)
  process.stdout.write(
    `${name}: ${(100 * share).toFixed(1)} % killed, ${judged.length - left.length} of ${judged.length} (${of} in all); ` +
      `${left.length - unexplained.length} survivors with a reason, ${unexplained.length} without; ${Math.round((Date.now() - from) / 1000)} s\n`,
  )
  isGood &&= share >= 0.9 && unexplained.length === 0
}
process.exit(isGood ? 0 : 1)
