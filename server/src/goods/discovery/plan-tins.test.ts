import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { planTins, type TinSize } from './plan-tins.ts'

const tin = (litres: number, price: number, more: Partial<TinSize> = {}): TinSize => ({ litres, price, stock: 99, step: 1, ...more })

const cases: [string, number, TinSize[], number[] | null][] = [
  ['one tin holds exactly enough', 2.5, [tin(2.5, 3_000), tin(10, 8_000)], [1, 0]],
  ['a large tin is cheaper than three small ones', 7.5, [tin(2.5, 3_000), tin(10, 8_000)], [0, 1]],
  ['a large one and a small one', 12, [tin(2.5, 3_000), tin(10, 8_000)], [1, 1]],
  ['of equally cheap tins those with less left over', 4, [tin(5, 4_000), tin(10, 4_000)], [1, 0]],
  ['stock that does not suffice in one size', 20, [tin(2.5, 3_000), tin(10, 8_000, { stock: 1 })], [4, 1]],
  ['stock that does not suffice at all', 20, [tin(2.5, 3_000, { stock: 2 })], null],
  ['tins sold by the four', 3, [tin(1, 1_000, { step: 4, stock: 8 })], [4]],
  ['no tins', 3, [], null],
]
for (const [what, litres, sizes, counts] of cases)
  test(`R-070 tins for ${litres} litres: ${what}`, () => assert.deepEqual(planTins(litres, sizes), counts))

test('R-070 no other choice of tins that holds enough is cheaper', () => {
  const size = fc.record({
    litres: fc.constantFrom(0.5, 0.75, 1, 2.5, 5),
    price: fc.integer({ min: 100, max: 5_000 }),
    stock: fc.integer({ min: 0, max: 5 }),
    step: fc.constant(1),
  })
  fc.assert(
    fc.property(fc.double({ min: 0.05, max: 20, noNaN: true }), fc.array(size, { maxLength: 3 }), (litres, sizes) => {
      const costOf = (counts: readonly number[]) => counts.reduce((sum, count, at) => sum + count * sizes[at]!.price, 0)
      const holds = (counts: readonly number[]) => counts.reduce((sum, count, at) => sum + count * sizes[at]!.litres, 0) >= litres - 0.05
      let choices: number[][] = [[]]
      for (const { stock } of sizes) choices = choices.flatMap((some) => Array.from({ length: stock + 1 }, (_, count) => [...some, count]))
      const enough = (counts: readonly number[]) =>
        counts.reduce((sum, count, at) => sum + count * Math.round(sizes[at]!.litres * 20), 0) >= Math.ceil(litres * 20 - 1e-9)
      const best = Math.min(...choices.filter(enough).map(costOf))
      const plan = planTins(litres, sizes)
      if (plan === null) return best === Infinity
      return holds(plan) && costOf(plan) === best && plan.every((count, at) => count <= sizes[at]!.stock)
    }),
    { numRuns: 300 },
  )
})
