import type { Learnable } from './model.ts'

/** Products of one family that go with products of another. */
export interface AccessoryRule {
  from: readonly string[]
  to: readonly string[]
  /** What both must agree in, at least in one of them; none if the product lacks it. */
  keysOfFrom: (product: Learnable) => readonly string[]
  keysOfTo: (product: Learnable) => readonly string[]
  /** What else must be right. */
  fits?: (from: Learnable, to: Learnable) => boolean
}

type Keys = AccessoryRule['keysOfFrom']

const text = ({ attributes }: Learnable, name: string): string | null => {
  const value = attributes[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
const number = (product: Learnable, name: string): number => {
  const value = product.attributes[name]
  return typeof value === 'number' ? value : Number.NaN
}
/** The same value of an attribute. */
const same =
  (...names: readonly string[]): Keys =>
  (product) => {
    const values = names.map((name) => text(product, name))
    return values.some((value) => value === null) ? [] : [values.join(':')]
  }
const anything: Keys = () => ['']
/** Values that a value of an attribute stands for. */
const through =
  (name: string, table: Readonly<Record<string, readonly string[]>>): Keys =>
  (product) =>
    table[text(product, name) ?? ''] ?? []

/** A battery fits the tools of its brand and voltage. */
const platform: Keys = (product) => same('voltage')(product).map((voltage) => `${product.brandId}:${voltage}`)
/** The plug for a screw, in millimetres. */
const plugFor = { 3: ['5'], 3.5: ['5'], 4: ['6'], 4.5: ['6'], 5: ['8'], 6: ['8'], 8: ['10'] }
/** Socket drives with sockets for the head of a metric thread: 10, 13, 16 or 17, 18 or 19 mm across flats. */
const drivesFor = { 6: ['1/4"', '3/8"'], 8: ['1/4"', '3/8"', '1/2"'], 10: ['3/8"', '1/2"'], 12: ['1/2"'] }
/** Nominal thread of a valve for a copper pipe, by outer diameter. */
const threadFor = { 15: ['1/2"'], 22: ['3/4"'] }
/** Tap finishes that match the colour of a sink. */
const tapFor = {
  stainless_c: ['brushed_steel', 'chrome'],
  black: ['matt_black'],
  anthracite: ['matt_black'],
  white: ['chrome'],
}
/** The usual bore of a blade, by its diameter: circular saws do not state their spindles. Mitre saws have 30 mm. */
const boreFor: Readonly<Record<number, number>> = { 140: 20, 165: 20, 190: 30 }
/** The size of bags for a bin, in litres: the next larger one. */
const bagFor = { 5: ['10'], 12: ['20'], 20: ['20'], 30: ['30'], 50: ['60'] }

const isOneOf = (product: Learnable, name: string, values: readonly string[]) => values.includes(text(product, name) ?? '')
const isWithin = (value: number, from: number, to: number) => value >= from && value <= to

/** A roller that dips into the tin, or is wide enough for the walls that the tin is for. */
function isRollerFor(paint: Learnable, roller: Learnable): boolean {
  const [litres, width] = [number(paint, 'volume'), number(roller, 'width_mm')]
  if (litres < 2) return width < 180
  return litres < 10 ? isWithin(width, 180, 250) : width >= 220
}
/** A flat brush that dips into the tin and does not take for ever to empty it. */
function isBrushFor(paint: Learnable, brush: Learnable): boolean {
  const [litres, width] = [number(paint, 'volume'), number(brush, 'width_mm')]
  if (!isOneOf(brush, 'type', ['flat'])) return false
  if (litres < 0.5) return width <= 40
  return litres < 2 ? isWithin(width, 40, 70) : width >= 50
}

function bothWays(
  from: readonly string[],
  to: readonly string[],
  keys: Keys | [Keys, Keys],
  fits?: AccessoryRule['fits'],
): AccessoryRule[] {
  const [keysOfFrom, keysOfTo] = typeof keys === 'function' ? [keys, keys] : keys
  return [
    { from, to, keysOfFrom, keysOfTo, ...(fits && { fits }) },
    {
      from: to,
      to: from,
      keysOfFrom: keysOfTo,
      keysOfTo: keysOfFrom,
      ...(fits && { fits: (one: Learnable, other: Learnable) => fits(other, one) }),
    },
  ]
}

/** Accessories by attributes, as a tradesman would choose them: battery platform, thread, diameter, width, finish, colour. */
export const accessoryRules: readonly AccessoryRule[] = [
  ...bothWays(['cordless_drill', 'impact_driver'], ['tool_battery'], platform),
  ...bothWays(['cordless_drill'], ['drill_bits'], anything, (_drill, bits) =>
    isOneOf(bits, 'use_for', ['for_wood', 'for_metal', 'for_multi']),
  ),
  // A saw for wood turns too fast for a blade for metal.
  ...bothWays(
    ['circular_saw'],
    ['saw_blade'],
    same('blade_d'),
    (saw, blade) => !isOneOf(blade, 'use_for', ['for_metal']) && number(blade, 'bore') === boreFor[number(saw, 'blade_d')],
  ),
  // Mitre saws cut across the grain: coarse blades tear it.
  ...bothWays(
    ['mitre_saw'],
    ['saw_blade'],
    same('blade_d'),
    (_saw, blade) => !isOneOf(blade, 'use_for', ['for_metal']) && number(blade, 'bore') === 30 && number(blade, 'teeth') >= 40,
  ),
  // The screw comes out of the plug by its own diameter, and holds something thinner than the plug is long.
  ...bothWays(['screws'], ['wall_plugs'], [through('diameter', plugFor), same('diameter')], (screw, plug) =>
    isWithin(number(screw, 'length_mm'), number(plug, 'length_mm') + number(screw, 'diameter'), 2 * number(plug, 'length_mm')),
  ),
  // Thicker ones are driven by machine.
  ...bothWays(
    ['screws'],
    ['screwdriver_set'],
    same('drive'),
    (screw) => !isOneOf(screw, 'head_type', ['hex']) && number(screw, 'diameter') <= 5 && number(screw, 'length_mm') <= 60,
  ),
  ...bothWays(['hex_bolts'], ['socket_set'], [through('thread', drivesFor), same('type')]),
  ...bothWays(['copper_pipe'], ['ball_valve'], [through('diameter', threadFor), same('type')]),
  ...bothWays(['pendant_light'], ['led_bulb'], same('type')),
  ...bothWays(['solar_panel'], ['solar_mounting'], [same('pack_qty'), same('panels_n')]),
  ...bothWays(['wall_paint', 'ceiling_paint', 'bath_paint'], ['paint_roller'], same('finish'), isRollerFor),
  ...bothWays(['wall_paint', 'ceiling_paint', 'bath_paint'], ['masking_tape'], anything),
  ...bothWays(['wood_stain', 'enamel'], ['paint_brush'], anything, isBrushFor),
  ...bothWays(['laminate', 'parquet'], ['underlay'], anything, (_floor, underlay) => number(underlay, 'thickness') <= 3),
  ...bothWays(['laminate', 'parquet', 'vinyl_plank'], ['skirting'], same('color')),
  ...bothWays(['floor_tile', 'wall_tile'], ['tile_adhesive'], anything),
  ...bothWays(['pellet_stove'], ['wood_pellets'], anything),
  ...bothWays(['pool_pump'], ['sand_filter'], same('flow_m3h')),
  ...bothWays(['vanity'], ['bathroom_mirror'], same('width_cm')),
  ...bothWays(['vanity'], ['basin_tap'], anything, (_vanity, tap) => number(tap, 'height_cm') <= 18),
  ...bothWays(['kitchen_sink'], ['kitchen_tap'], [through('color', tapFor), same('finish')]),
  ...bothWays(['shower_tray'], ['shower_screen'], same('width_cm')),
  // Shorter hinges are for furniture.
  ...bothWays(['door_handle'], ['hinge'], same('finish'), (_handle, hinge) => number(hinge, 'length_mm') >= 80),
  ...bothWays(['garden_table'], ['garden_chair'], same('material', 'color')),
  ...bothWays(['desk'], ['office_chair'], anything),
  ...bothWays(['bin'], ['bin_bags'], [through('volume', bagFor), same('volume')]),
  // Outdoors stainless screws, two to three times as long as the board is thick. Composite boards are fixed with clips.
  ...bothWays(
    ['decking'],
    ['screws'],
    anything,
    (board, screw) =>
      isOneOf(board, 'material', ['pine']) &&
      isOneOf(screw, 'material', ['stainless']) &&
      isOneOf(screw, 'head_type', ['csk']) &&
      text(screw, 'diameter') === '5' &&
      isWithin(number(screw, 'length_mm'), 2 * number(board, 'thickness'), 3 * number(board, 'thickness')),
  ),
]
