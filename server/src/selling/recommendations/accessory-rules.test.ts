import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goesWith } from './goes-with.ts'
import type { Learnable } from './model.ts'

type Attributes = Record<string, string | number>
const goods = (id: string, family: string, attributes: Attributes): Learnable => ({
  id,
  family,
  brandId: 1,
  categoryId: 11,
  attributes,
  popularity: 1,
})
/** Of these accessories the ones shown with a product; each is shown with it if and only if it is shown with them. */
function shownWith([family, attributes]: [string, Attributes], accessoryFamily: string, accessories: Record<string, Attributes>): string[] {
  const all = Object.entries(accessories).map(([id, own]) => goods(id, accessoryFamily, own))
  const lists = goesWith([goods('product', family, attributes), ...all], 8)
  const shown = lists['product'] ?? []
  for (const { id } of all) assert.equal(lists[id]?.includes('product') ?? false, shown.includes(id), id)
  return shown
}

test('a pine board goes with stainless screws two to three times its thickness; a composite one, fixed with clips, with none', () => {
  const screw = { diameter: 5, length_mm: 60, drive: 'torx', head_type: 'csk', material: 'stainless' }
  const screws = {
    right: screw,
    longest: { ...screw, length_mm: 75 },
    'too short': { ...screw, length_mm: 49 },
    'too long': { ...screw, length_mm: 76 },
    rusting: { ...screw, material: 'zinc_plated' },
    pan: { ...screw, head_type: 'pan' },
    thin: { ...screw, diameter: 4.5 },
  }
  assert.deepEqual(shownWith(['decking', { material: 'pine', thickness: 25 }], 'screws', screws), ['right', 'longest'])
  assert.deepEqual(shownWith(['decking', { material: 'wpc', thickness: 25 }], 'screws', screws), [])
})

test('a roller fits the tin: small ones go with up to a litre, wide ones with ten litres and more', () => {
  const rollers = Object.fromEntries([110, 180, 220, 250].map((width) => [`w${width}`, { width_mm: width, finish: 'matt' }]))
  const shown = (volume: number) => shownWith(['wall_paint', { volume, finish: 'matt' }], 'paint_roller', rollers)
  assert.deepEqual([0.5, 1].map(shown), [['w110'], ['w110']])
  assert.deepEqual(
    [2.5, 5].map(shown),
    [0, 0].map(() => ['w180', 'w220', 'w250']),
  )
  assert.deepEqual(
    [10, 15].map(shown),
    [0, 0].map(() => ['w220', 'w250']),
  )
  assert.deepEqual(shownWith(['wall_paint', { volume: 5, finish: 'satin' }], 'paint_roller', rollers), [])
})

test('a flat brush fits the tin, and is not too small for it', () => {
  const brushes = Object.fromEntries([25, 40, 50, 70, 100].map((width) => [`w${width}`, { width_mm: width, type: 'flat' }]))
  const shown = (volume: number) =>
    shownWith(['enamel', { volume }], 'paint_brush', { ...brushes, round: { width_mm: 50, type: 'round_b' } })
  assert.deepEqual(shown(0.25), ['w25', 'w40'])
  assert.deepEqual(shown(0.75), ['w40', 'w50', 'w70'])
  assert.deepEqual(shown(2.5), ['w50', 'w70', 'w100'])
})

test('blades have the bore that is usual for the saw, and those of mitre saws teeth for a clean cut', () => {
  const blade = (blade_d: number, bore: number, teeth: number, use_for = 'for_wood') => ({ blade_d, bore, teeth, use_for })
  const blades = {
    '165/20': blade(165, 20, 24),
    '165/16': blade(165, 16, 24),
    '190/30': blade(190, 30, 24),
    '190/20': blade(190, 20, 24),
    '305/30': blade(305, 30, 40),
    coarse: blade(305, 30, 30),
    '305/20': blade(305, 20, 60),
    metal: blade(305, 30, 60, 'for_metal'),
  }
  assert.deepEqual(shownWith(['circular_saw', { blade_d: 165 }], 'saw_blade', blades), ['165/20'])
  assert.deepEqual(shownWith(['circular_saw', { blade_d: 190 }], 'saw_blade', blades), ['190/30'])
  assert.deepEqual(shownWith(['mitre_saw', { blade_d: 305 }], 'saw_blade', blades), ['305/30'])
})

test('a screw comes out of its plug by its own diameter', () => {
  const screws = Object.fromEntries(
    [40, 44, 45, 80, 85].map((length) => [`l${length}`, { diameter: 5, length_mm: length, head_type: 'hex' }]),
  )
  assert.deepEqual(shownWith(['wall_plugs', { diameter: 8, length_mm: 40 }], 'screws', screws), ['l45', 'l80'])
})

test('screws that are driven by hand are 5 mm thick and 60 mm long at most', () => {
  const screw = (diameter: number, length_mm: number, head_type = 'csk') => ({ diameter, length_mm, head_type, drive: 'torx' })
  const screws = { right: screw(5, 60), thick: screw(6, 60), long: screw(5, 70), hex: screw(5, 60, 'hex') }
  assert.deepEqual(shownWith(['screwdriver_set', { drive: 'torx' }], 'screws', screws), ['right'])
})

test('a door handle goes with hinges of doors, not of furniture', () => {
  const hinges = {
    door: { length_mm: 80, finish: 'brass' },
    box: { length_mm: 60, finish: 'brass' },
    black: { length_mm: 80, finish: 'black' },
  }
  assert.deepEqual(shownWith(['door_handle', { finish: 'brass' }], 'hinge', hinges), ['door'])
})
