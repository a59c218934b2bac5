/**
 * What follows an order, played at random: `npm run model -- --sequences 100000 --seed 1` plays the rules alone.
 * A violation names its seed, which plays the same sequence again.
 */
import { parseArgs } from 'node:util'
import { playSequence } from './rules.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: { sequences: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const [first, count] = [Number(values.seed), Number(values.sequences)]
const started = performance.now()
let moves = 0
for (let seed = first; seed < first + count; seed++) {
  moves += playSequence(seed)
  if ((seed - first + 1) % 10_000 === 0) process.stdout.write(`${seed - first + 1} sequences, ${moves} moves\n`)
}
const took = Math.round((performance.now() - started) / 1000)
process.stdout.write(`${count} sequences from seed ${first}: ${moves} moves that were allowed, no violation, ${took} s\n`)
